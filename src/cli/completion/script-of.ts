/** Completion for zsh. */
const zshScript = `#compdef endpoint-gateway
# Completion of endpoint-gateway for zsh. Load it in ~/.zshrc, after compinit:
#   source <(endpoint-gateway completion zsh)
_endpoint_gateway() {
  local -a lines
  lines=("\${(@f)$("\${words[1]}" complete zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "\${lines[1]}" ]]; then
    _files
  elif [[ \${#lines} -eq 1 && "\${lines[1]%%:*}" == *= ]]; then
    # A value follows: no space. zsh quotes what it inserts.
    _describe 'endpoint-gateway' lines -S ''
  else
    _describe 'endpoint-gateway' lines
  fi
}
# As a file in fpath, it is the function itself.
if [[ "\${funcstack[1]}" == _endpoint_gateway ]]; then
  _endpoint_gateway "$@"
else
  compdef _endpoint_gateway endpoint-gateway
fi
`;

/** Completion for fish. */
const fishScript = `# Completion of endpoint-gateway for fish. Load it in ~/.config/fish/config.fish:
#   endpoint-gateway completion fish | source
function __endpoint_gateway_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] complete fish -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c endpoint-gateway -f -a '(__endpoint_gateway_complete)'
`;

/** Completion for bash. The program gets the line, because bash cuts words at `=` and `:`. */
const bashScript = `# Completion of endpoint-gateway for bash. Load it in ~/.bashrc:
#   source <(endpoint-gateway completion bash)
_endpoint_gateway() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <("\${COMP_WORDS[0]}" complete bash -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _endpoint_gateway endpoint-gateway
`;

const scripts: Readonly<Record<Shell, string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The script that a shell loads. */
export function scriptOf(shell: Shell): string {
  return scripts[shell];
}

/** The shells for which there is completion. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];
