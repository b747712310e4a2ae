"""Manual pages, one for each command."""


def escape(text):
    """As roff takes it: dashes are those of options, and nothing at the start of a line is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def sentence(text):
    return text if text.endswith((".", ":")) else text + "."


def page_name(words):
    return "-".join(words)


def explanation(option):
    parts = [sentence(option.text)]
    if option.choices:
        parts.append(f"One of {', '.join(option.choices)}.")
    if option.span:
        parts.append(f"From {option.span[0]} to {option.span[1]}.")
    if option.default:
        parts.append(f"Default: {option.default}.")
    if option.needs:
        parts.append(f"Needs {option.needs}.")
    if option.required and option.names[0].startswith("-"):
        parts.append("Has to be given.")
    return escape(" ".join(parts))


def entry(option):
    names = ", ".join(f"\\fB{escape(name)}\\fR" for name in option.names)
    if option.kind and option.names[0].startswith("-"):
        kind = "NUMBER" if option.kind in ("INT", "UINT", "FLOAT") else option.kind
        names += f" \\fI{kind}\\fR"
    return [".TP", names, explanation(option)]


def note_lines(notes):
    """Lines as the program prints them."""
    return [".nf", *["\\&" + escape(note) if note.startswith(" ") else escape(note) for note in notes], ".fi"]


def related(command, root):
    """Pages to read next: the commands above, beside and below."""
    above = [command.words[:size] for size in range(1, len(command.words))]
    below = [other.words for other in command.below]
    beside = [] if below else [other.words for other in root.all() if other.words[:-1] == command.words[:-1] and other is not command]
    return [page_name(words) for words in above + below + beside]


def page(command, root, version):
    name = page_name(command.words)
    first, *more = command.summary.split("\n")
    brief = first.removeprefix("Stator: ").rstrip(".")
    brief = brief if brief.startswith("IAM") else brief[0].lower() + brief[1:]
    usage = command.usage.removeprefix(" ".join(command.words)).strip()
    lines = [f'.TH {name.upper()} 1 "" "Stator {version}" "Stator"',
             ".SH NAME", f"{escape(name)} \\- {escape(brief)}",
             ".SH SYNOPSIS", f"\\fB{escape(' '.join(command.words))}\\fR {escape(usage)}",
             ".SH DESCRIPTION", escape(" ".join(sentence(part) for part in (first, *more)))]
    if command.positionals:
        lines.append(".SH ARGUMENTS")
        for option in command.positionals:
            lines += entry(option)
    if command.below:
        lines.append(".SH COMMANDS")
        for other in command.below:
            lines += [".TP", f"\\fB{escape(other.words[-1])}\\fR", f"{escape(sentence(other.summary))} See \\fB{escape(page_name(other.words))}\\fR(1)."]
    lines.append(".SH OPTIONS")
    for option in command.options:
        lines += entry(option)
    if command.notes:
        lines += [".SH NOTES", *note_lines(command.notes)]
    see_also = ", ".join(f"\\fB{escape(other)}\\fR(1)" for other in related(command, root))
    lines += [".SH SEE ALSO", see_also + ".", ".PP", "The documents in /usr/share/doc/stator, which begin with README.md."]
    return "\n".join(lines) + "\n"


def pages(root, version):
    """Every page by its file name."""
    return {page_name(command.words) + ".1": page(command, root, version) for command in root.all()}
