/** Completion for fish. */
export const fishScript = `# Completion of endpoint-gateway for fish. Load it in ~/.config/fish/config.fish:
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
