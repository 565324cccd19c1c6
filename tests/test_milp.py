import highspy
import numpy as np
import pytest

from rlpaper.learning import Choquet, Mahalanobis, WeightedMean
from rlpaper.learning.milp import _cbc_bound, _least, paper_model
from rlpaper.linkage.nearest import DIRECTIONS
from test_learning import KINDS, OPERATORS, check_parameters, fitted, masked_files, recount

pytestmark = pytest.mark.slow

MAIN = ("weighted mean", "OWA", "Choquet", "Choquet of pairs", "matrix")
LINEAR = [name for name in OPERATORS if name != "semidefinite matrix"]


def smaller_for_matrices(name, random):
    """How many records: general solvers take long to prove what matrices link."""
    return random.integers(5, 11) if "matrix" in name else None


# The program asks for a margin of epsilon. Of nearly 5,000 such files one was best linked by less;
# there the project's solver linked one record more; none of these 1,050 is like that.
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LINEAR)
def test_the_solver_links_what_the_papers_program_links(name, kind):
    for seed in range(40 if name in MAIN else 10):
        random = np.random.default_rng([seed, KINDS.index(kind)])
        files = masked_files(random, kind, smaller_for_matrices(name, random))
        learned = fitted(OPERATORS[name](direction=DIRECTIONS[seed % 2]), *files)
        solution = paper_model(learned, *files).solve()
        assert learned.linked_ == learned.bound_ == solution.bound <= solution.linked, (
            f"seed {seed}"
        )
        assert learned.status_ == solution.status == "optimal"
        assert learned.linked_ == recount(learned, *files)
        check_parameters(learned, *files)


@pytest.mark.parametrize("name", LINEAR)
def test_the_tightened_program_says_the_same(name):
    for seed in range(20):
        random = np.random.default_rng([seed, 11])
        files = masked_files(random, KINDS[seed % 5], smaller_for_matrices(name, random))
        learner = OPERATORS[name](direction=DIRECTIONS[seed % 2])
        plain, tightened = (
            paper_model(learner, *files),
            paper_model(learner, *files, tightened=True),
        )
        assert tightened.constraints <= plain.constraints
        solution = tightened.solve()
        assert solution.bound == plain.solve().bound <= solution.linked


@pytest.mark.parametrize(
    "options",
    [
        {"standardise": None},
        {"standardise": "original"},
        {"standardise": "pooled"},
        {"standardise": "fit"},
    ],
)
def test_the_options_of_the_learner_count(options):
    for seed in range(5):
        files = masked_files(np.random.default_rng([seed, 12]), "noise")
        solution = paper_model(WeightedMean(**options), *files).solve()
        assert fitted(WeightedMean(**options), *files).linked_ == solution.bound == solution.linked


@pytest.mark.parametrize("name", ["weighted mean", "Choquet", "matrix"])
def test_cbc_and_highs_agree(name):
    for seed in range(8):
        model = paper_model(
            OPERATORS[name](),
            *masked_files(np.random.default_rng([seed, 13]), "noise"),
            epsilon=1e-5,
        )
        by_cbc, by_highs = model.solve("cbc"), model.solve("highs")
        assert (
            by_cbc.bound == by_highs.bound == by_cbc.linked
            and by_cbc.status == by_highs.status == "optimal"
        )


def test_the_program_has_the_size_that_the_papers_state():
    files = masked_files(np.random.default_rng(1), "noise", 10, 3)
    # Not rows of the program: weights are 0 or more; the measure of no variable is 0.
    for name, elsewhere in (
        ("weighted mean", 3),
        ("OWA", 3),
        ("Choquet", 1),
        ("Choquet of pairs", 1),
        ("matrix", 0),
    ):
        learned = fitted(OPERATORS[name](), *files)
        model = paper_model(learned, *files)
        assert model.variables == learned.size_["variables"] == len(model.problem.variables())
        assert (
            model.constraints
            == learned.size_["constraints"] - elsewhere
            == len(model.problem.constraints())
        )
    # abril2012: N^2 + N + 1 + n, with a row for each record and itself and one for each K.
    assert fitted(WeightedMean(), *files).size_["constraints in the paper"] == 100 + 10 + 1 + 3


def test_the_file_that_is_written_is_the_program(tmp_path):
    model = paper_model(
        WeightedMean(), *masked_files(np.random.default_rng(2), "strong noise", 10, 3)
    )
    model.write_mps(tmp_path / "model.mps")
    other = highspy.Highs()
    other.silent()
    other.readModel(str(tmp_path / "model.mps"))
    assert (other.getNumCol(), other.getNumRow()) == (model.variables, model.constraints)
    other.run()
    assert 10 - round(other.getInfo().objective_function_value) == model.solve().bound


def test_a_larger_constant_changes_nothing_and_the_learner_is_left_alone():
    files = masked_files(np.random.default_rng(3), "noise", 10, 3)
    learner = Choquet()
    assert (
        paper_model(learner, *files).solve().bound
        == paper_model(learner, *files, constant=50.0).solve().bound
    )
    assert not hasattr(learner, "parameters_") and not hasattr(learner, "variables_")


def test_no_row_is_below_its_bound_for_measures_of_which_two_variables_repeat_each_other():
    # Moebius values: 1 for the first two variables, -1 for both together.
    theta = np.array([1.0, 1.0, 0.0, -1.0, 0.0, 0.0])
    lower, whole = np.array([0.0, 0, 0, -1, -1, -1]), np.ones(6, bool)
    rows = np.random.default_rng(1).normal(size=(100, 6))
    assert (_least(rows, lower, whole) <= rows @ theta + 1e-12).all()


def test_the_constant_may_be_as_small_as_one_likes():
    files = masked_files(np.random.default_rng(3), "noise", 10, 3)
    for constant in (0, 0.5):
        assert paper_model(WeightedMean(), *files, constant=constant).constant == constant


def test_every_row_holds_where_a_record_is_given_up():
    random = np.random.default_rng(4)
    for name in LINEAR:
        files = masked_files(random, "noise", 8, 3)
        for tightened in (False, True):
            model = paper_model(OPERATORS[name](), *files, tightened=tightened)
            rows = [c for c in model.problem.constraints() if c.name.startswith("link")]
            for weights in np.vstack([random.dirichlet(np.ones(3), 20), np.eye(3)]):
                theta = (
                    weights
                    if name in ("weighted mean", "OWA")
                    else model.learner._from_weights(weights)
                )
                value = {variable: 1.0 for variable in model.given_up}
                value |= dict(zip(model.theta, theta, strict=True))
                assert all(
                    sum(value[v] * x for v, x in c.items()) + c.constant >= -1e-12 for c in rows
                )


@pytest.mark.parametrize("solver", ["highs", "cbc"])
def test_after_a_time_limit_the_bound_is_the_solvers_and_no_optimum_is_claimed(solver):
    files = masked_files(np.random.default_rng(5), "strong noise", 50, 5)
    best = fitted(WeightedMean(), *files).linked_
    solution = paper_model(WeightedMean(), *files).solve(solver, time_limit=0.3)
    assert solution.linked <= best <= solution.bound <= 50
    assert solution.status == ("optimal" if solution.linked == solution.bound else "gap")


def test_bounds_are_read_from_the_log_of_cbc():
    stopped = (
        "Result - Stopped on time limit\n\n"
        "Objective value:       38.00000000\nLower bound:           12.500\n"
    )
    solved = (
        "Result - Optimal solution found\n\n"
        "Objective value:       3.00000000\nEnumerated nodes:      0\n"
    )
    assert _cbc_bound(stopped) == 12.5 and _cbc_bound(solved) == 3
    assert _cbc_bound("Result - Problem proven infeasible\n") == _cbc_bound("") == -np.inf


def test_bad_input():
    files = masked_files(np.random.default_rng(6), "noise", 8, 2)
    with pytest.raises(ValueError, match="not a linear constraint"):
        paper_model(Mahalanobis(positive="psd"), *files)
    with pytest.raises(ValueError, match="epsilon is 0; it is above 0"):
        paper_model(WeightedMean(), *files, epsilon=0)
    with pytest.raises(ValueError, match="direction is 'both'"):
        paper_model(WeightedMean(direction="both"), *files)
    with pytest.raises(ValueError, match="different columns"):
        paper_model(WeightedMean(), files[0], files[1].rename(columns={"v0": "w"}))
    for options, message in (
        ({"epsilon": np.nan}, "epsilon is nan; it is above 0"),
        ({"epsilon": "x"}, "epsilon is 'x'; it is above 0"),
        ({"constant": np.inf}, "constant is inf; it is a number, 0 to 1e\\+15, or None"),
        ({"tightened": "x"}, "tightened is 'x'; it is one of True, False"),
    ):
        with pytest.raises(ValueError, match=message):
            paper_model(WeightedMean(), *files, **options)
    with pytest.raises(ValueError, match=r"learner is the class WeightedMean; give one such as"):
        paper_model(WeightedMean, *files)
    model = paper_model(WeightedMean(), *files)
    with pytest.raises(ValueError, match="solver is 'glpk'; it is one of highs, cbc"):
        model.solve("glpk")
    with pytest.raises(ValueError, match="time_limit is -1; it is seconds, 0 to"):
        model.solve(time_limit=-1)
