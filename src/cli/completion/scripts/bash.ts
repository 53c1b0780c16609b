/** Completion for bash. The program gets the line, because bash cuts words at `=` and `:`. */
export const bashScript = `# Completion of endpoint-gateway for bash. Load it in ~/.bashrc:
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
