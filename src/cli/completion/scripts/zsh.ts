/** Completion for zsh. */
export const zshScript = `#compdef endpoint-gateway
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
