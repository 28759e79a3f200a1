"""The random numbers of kernels."""

import numpy as np
import pytest
from scipy import stats

from equipoise.inference.kernels.randomness import fill, stream_from

UNIFORM, NORMAL, EXPONENTIAL = range(3)
ALPHA = 1e-4


def numbers(stream, kind, count):
    """So many numbers of a kind."""
    values = np.empty(count)
    fill(stream, kind, values)
    return values


def xoshiro(state):
    """The words of xoshiro256++ as Blackman and Vigna write it, from four to begin with."""
    word = 2**64 - 1

    def rotated(x, k):
        return ((x << k) | (x >> (64 - k))) & word

    s = list(state)
    while True:
        yield (rotated((s[0] + s[3]) & word, 23) + s[0]) & word
        t = (s[1] << 17) & word
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 45)


def test_the_words_written_out_are_the_known_ones():
    """From 1, 2, 3, 4 come the words that implementations of xoshiro256++ are tested with."""
    words = xoshiro([1, 2, 3, 4])
    assert [next(words) for _ in range(4)] == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
    ]


@pytest.mark.parametrize("seed", range(3))
def test_uniform_numbers_are_the_upper_bits_of_xoshiro(seed):
    """Each is made of the 53 upper bits of a word, of a stream that a generator begins."""
    stream = stream_from(np.random.default_rng(seed))
    words = xoshiro(stream.tolist())
    found = numbers(stream, UNIFORM, 1000)
    assert found.tolist() == [(next(words) >> 11) / 2**53 for _ in range(1000)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(UNIFORM, stats.uniform), (NORMAL, stats.norm), (EXPONENTIAL, stats.expon)],
)
def test_numbers_are_distributed_as_they_should_be(kind, expected):
    """A hundred thousand of each kind follow their distribution, and neighbours are independent."""
    found = numbers(stream_from(np.random.default_rng(1)), kind, 100_000)
    assert stats.kstest(found, expected.cdf).pvalue > ALPHA
    assert stats.spearmanr(found[::2], found[1::2]).pvalue > ALPHA


def test_streams_of_one_generator_differ():
    """Two that a generator begins one after the other share no number; the same seed, all."""
    rng = np.random.default_rng(1)
    one, other = (numbers(stream_from(rng), UNIFORM, 1000) for _ in range(2))
    assert not np.intersect1d(one, other).size
    again = numbers(stream_from(np.random.default_rng(1)), UNIFORM, 1000)
    np.testing.assert_array_equal(one, again)


def test_numbers_stay_within_their_bounds():
    """Uniform numbers are at least zero and below one, exponential ones finite and not negative."""
    stream = stream_from(np.random.default_rng(2))
    uniform, exponential = numbers(stream, UNIFORM, 10**6), numbers(stream, EXPONENTIAL, 10**6)
    assert 0 <= uniform.min() <= uniform.max() < 1
    assert 0 <= exponential.min() <= exponential.max() < np.inf
