const longestShown = 60;

/** A caller's text as shown in errors. */
export function shortened(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text;
}
