"""The examples of the packages' own pages, to be run as they stand."""

import re


def example(page, heading, language):
    """The first block of code below a heading."""
    text = page.read_text()
    section = text[text.index(f"\n## {heading}\n"):]
    return re.search(rf"```{language}\n(.*?)```", section, re.DOTALL).group(1)
