const longestShown = 60;

/** What a caller wrote, as refusals show it. */
export function shortened(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text;
}
