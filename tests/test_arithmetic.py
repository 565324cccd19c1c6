"""Arithmetic that does not depend on the processor, against numpy's and high precision."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from rlpaper._internal import arithmetic

RNG = np.random.default_rng(1)
WIDE = np.concatenate(
    [np.exp(RNG.uniform(-700, 700, 200)), RNG.uniform(0.5, 2, 200), [5e-324, 1.0, 1.7e308]]
)


def units(found, exact):
    """How many units in the last place numbers are off, the exact ones given as decimals."""
    return max(
        abs(Decimal(float(one)) - other) / Decimal(math.ulp(float(other)))
        for one, other in zip(found, exact, strict=True)
    )


def test_logarithms_and_exponentials_are_right_to_the_last_places():
    with localcontext(prec=40):
        exact = [Decimal(float(x)).ln() for x in WIDE]
        assert units(arithmetic.log(WIDE), exact) < 2
        assert units(arithmetic.log2(WIDE), [x / Decimal(2).ln() for x in exact]) < 3
        shifts = np.concatenate([RNG.uniform(-708, 709, 200), [0.0, 1e-300]])
        assert units(arithmetic.exp(shifts), [Decimal(float(x)).exp() for x in shifts]) < 2


def test_powers_of_two_have_whole_logarithms():
    assert arithmetic.log2(2.0 ** np.arange(-1074, 1024)).tolist() == list(range(-1074, 1024))


@pytest.mark.parametrize("name", ["log", "log2", "exp"])
def test_the_ends_of_the_line_are_numpys(name):
    ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, -800.0, 800.0])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(
            getattr(arithmetic, name)(ends), getattr(np, name)(ends), rtol=1e-15
        )


@pytest.mark.parametrize("exponent", [0.2, 0.5, 1, 1.4, 2, 3.0, 7.3])
def test_powers(exponent):
    x = np.concatenate([[0.0, 1.0], RNG.random(100)])
    np.testing.assert_allclose(arithmetic.power(x, exponent), x**exponent, rtol=1e-14)
    assert arithmetic.power(x.reshape(2, -1), exponent).shape == (2, 51)


def test_products_covariances_and_correlations():
    a, b = RNG.standard_normal((40, 7)), RNG.standard_normal((7, 3))
    np.testing.assert_allclose(arithmetic.product(a, b), a @ b, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(arithmetic.product(a, b[:, 0]), a @ b[:, 0], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(arithmetic.product(a.T, a), a.T @ a, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(
        arithmetic.covariance(a), np.cov(a, rowvar=False), rtol=1e-13, atol=1e-14
    )
    assert arithmetic.correlation(a[:, 0], a[:, 1]) == pytest.approx(
        np.corrcoef(a[:, 0], a[:, 1])[0, 1], abs=1e-14
    )


@pytest.mark.parametrize("n", [1, 2, 13, 30])
def test_eigenvectors(n):
    matrix = RNG.standard_normal((n, n))
    matrix = matrix + matrix.T
    values, vectors = arithmetic.eigen(matrix)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix), atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n), atol=1e-12)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-12)


def test_eigenvectors_of_equal_values_and_of_nothing():
    values, vectors = arithmetic.eigen(np.eye(3))
    assert values.tolist() == [1, 1, 1] and vectors.tolist() == np.eye(3).tolist()
    assert arithmetic.eigen(np.zeros((2, 2)))[0].tolist() == [0, 0]
