"""Matchings without a common edge, against what graph theory says of them."""

from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.pairing.matching import disjoint_matchings


def edges_of(graph):
    return sorted(tuple(sorted(edge)) for edge in graph.edges)


@pytest.mark.parametrize("size", [2, 4, 6, 8, 10, 12])
def test_complete_graph_falls_apart_into_matchings(size):
    found = disjoint_matchings(size, combinations(range(size), 2), size - 1)
    assert sorted(two for one in found for two in one) == list(combinations(range(size), 2))
    assert all(sorted(v for two in one for v in two) == list(range(size)) for one in found)


def test_petersen_graph_has_a_matching_but_no_three():
    petersen = edges_of(nx.petersen_graph())
    assert disjoint_matchings(10, petersen, 1)
    assert disjoint_matchings(10, petersen, 3) is None


def test_two_triangles_have_none():
    assert disjoint_matchings(6, [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)], 1) is None


@settings(max_examples=40, deadline=None)
@given(half=st.integers(2, 6), degree=st.integers(1, 5), seed=st.integers(0, 9_999))
def test_regular_bipartite_graph_always_falls_apart(half, degree, seed):
    degree = min(degree, half)
    edges = [(k, half + (k + shift * (1 + seed % 3)) % half) for k in range(half) for shift in range(degree)]
    if len(set(edges)) < len(edges):
        edges = [(k, half + (k + shift) % half) for k in range(half) for shift in range(degree)]
    found = disjoint_matchings(2 * half, edges, degree)
    assert sorted(two for one in found for two in one) == sorted(edges)
