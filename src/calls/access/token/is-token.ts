/** Whether a credential has the form of a JSON Web Token. Keys have no dots. */
export function isToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}
