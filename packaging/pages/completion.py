"""Completion of commands, options and their values for bash and zsh."""

BASH = """# Completion of stator for bash, made from its --help.
_stator() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=stator words= at
  # `--option=value` comes as three words.
  if [ "$word" = = ]; then
    word=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$command ${COMP_WORDS[at]}" in
      %(commands)s) command+=" ${COMP_WORDS[at]}" ;;
    esac
  done
  case "$command $before" in
%(values)s
  esac
  if [ -z "$words" ]; then
    case "$command" in
%(options)s
    esac
    # Options when a dash says so; otherwise commands, and where there are none, names of files.
    if [[ $word == -* ]]; then words=${words%%%%|*}; else words=${words##*|}; fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _stator stator
"""


def names_of(command):
    return [name for option in command.options for name in option.names]


def bash(root):
    commands = list(root.all())
    below = [" ".join(command.words) for command in commands if command is not root]
    values = []
    for command in commands:
        start = " ".join(command.words)
        free = []
        for option in command.options:
            cases = [f'"{start} {name}"' for name in option.names]
            if option.choices:
                values.append(f'    {" | ".join(cases)}) words="{" ".join(option.choices)}" ;;')
            elif option.kind:
                free += cases
        if free:
            values.append(f"    {' | '.join(free)}) return ;;")
    options = []
    for command in commands:
        next_words = [other.words[-1] for other in command.below]
        if not next_words and not command.positionals:
            next_words = names_of(command)
        options.append(f'      "{" ".join(command.words)}") words="{" ".join(names_of(command))}|{" ".join(next_words)}" ;;')
    return BASH % {"commands": " | ".join(f'"{words}"' for words in below), "values": "\n".join(values), "options": "\n".join(options)}


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_text(text):
    """A text within an argument of _arguments, to which brackets and colons mean something."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_option(option):
    action = ""
    if option.choices:
        action = f":{option.names[0].lstrip('-')}:({' '.join(option.choices)})"
    elif option.kind:
        action = f":{option.kind.lower()}:_files" if option.kind in ("TEXT", "FILE", "FOLDER", "COMMAND") else f":{option.kind.lower()}: "
    several = "*" if option.several else ""
    exclude = "" if several or len(option.names) == 1 else f"({' '.join(option.names)})"
    return [quote(f"{exclude}{several}{name}[{zsh_text(option.text)}]{action}") for name in option.names]


def zsh_function(command):
    name = "_" + "_".join(command.words)
    arguments = [argument for option in command.options for argument in zsh_option(option)]
    if command.below:
        described = [quote(f"{other.words[-1]}:{other.summary}") for other in command.below]
        cases = [f"    {other.words[-1]}) _{'_'.join(other.words)} ;;" for other in command.below]
        return "\n".join([f"{name}() {{", "  local curcontext=$curcontext state line", "  local -a commands", "  commands=(",
                          *[f"    {text}" for text in described], "  )", "  _arguments -C \\",
                          *[f"    {argument} \\" for argument in arguments],
                          "    '1:command:{_describe command commands}' '*::argument:->rest' && return",
                          "  [[ $state == rest ]] && case $line[1] in", *cases, "  esac", "}"])
    if command.positionals:
        arguments.append(quote(f"*:{command.positionals[0].names[0]}:_files"))
    return "\n".join([f"{name}() {{", "  _arguments \\", " \\\n".join(f"    {argument}" for argument in arguments), "}"])


def zsh(root):
    functions = "\n\n".join(zsh_function(command) for command in reversed(list(root.all())))
    return f'#compdef stator\n# Completion of stator for zsh, made from its --help.\n\n{functions}\n\n_stator "$@"\n'
