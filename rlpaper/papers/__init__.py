"""One package per paper.

`protocol` has its choices, readings and numbers of executions; `runs` what is computed, the
functions that sweeps call; `tables` the cells as printed; `claims` the sentences judged; `beyond`
what the paper leaves out; `figures`. What is computed knows no verdict, so that a change of
judgement reruns nothing.
"""
