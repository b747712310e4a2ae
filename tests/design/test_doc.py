"""`stator design doc`: the document that a team keeps in its repository."""

import html.parser

import pytest

from models import EXAMPLES, name


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_documents(stator, golden, model):
    markdown = stator("doc", model)
    assert markdown.returncode == 0, markdown.stderr
    golden(f"doc/{model.stem}.md", markdown.stdout)
    page = stator("doc", "--format", "html", model)
    golden(f"doc/{model.stem}.html", page.stdout)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.external = []

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "input"):
            self.open.append(tag)
        self.external += [value for key, value in attributes if key in ("src", "href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("model", EXAMPLES, ids=name)
def test_page_is_whole_and_needs_nothing_from_elsewhere(stator, model):
    page = Page()
    page.feed(stator("doc", "--format", "html", model).stdout)
    assert page.open == [] and page.external == []


def test_check_fails_when_stale(stator, tmp_path):
    model = "examples/models/orders.yaml"
    files = [tmp_path / "keys.md", tmp_path / "keys.html"]
    outputs = [word for file in files for word in ("--output", file)]
    missing = stator("doc", "--check", *outputs, model)
    assert missing.returncode == 1 and "is missing" in missing.stderr
    assert stator("doc", *outputs, model).returncode == 0
    assert stator("doc", "--check", *outputs, model).returncode == 0
    files[1].write_text(files[1].read_text().replace("OPEN", "OPENED", 1))
    stale = stator("doc", "--check", *outputs, model)
    assert stale.returncode == 1 and "keys.html is stale" in stale.stderr and "keys.md" not in stale.stderr
    assert stator("doc", "--check", model).returncode == 2
