"""Who made the project and where it is: CITATION.cff and pyproject.toml are valid and agree."""

import tomllib
from urllib.parse import urlsplit

import pytest
import yaml

import rlpaper
from conftest import ROOT

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def name(author):
    """The name of a person or, if no person is given, of a group."""
    parts = [author.get("given-names"), author.get("family-names")]
    return author.get("name") or " ".join(filter(None, parts))


def test_the_citation_has_what_the_format_asks_for():
    assert {"cff-version", "message", "title", "authors"} <= set(CITATION)
    assert CITATION["cff-version"] == "1.2.0" and CITATION["type"] == "software"
    assert CITATION["authors"] and all(map(name, CITATION["authors"]))


def test_both_name_the_same_authors_version_licence_and_place():
    assert [name(author) for author in CITATION["authors"]] == [
        author["name"] for author in PROJECT["authors"]
    ]
    assert CITATION["version"] == PROJECT["version"] == rlpaper.__version__
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["repository-code"] == PROJECT["urls"]["Repository"]


@pytest.mark.parametrize("title", list(PROJECT["urls"]))
def test_addresses_are_addresses(title):
    parts = urlsplit(PROJECT["urls"][title])
    assert parts.scheme == "https" and "." in parts.netloc
