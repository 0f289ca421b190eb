/**
 * Decodes base64 as far as it is valid, to one character per byte. Browsers and Node share no other function
 * for this.
 */
export function fromBase64(text: string): string {
  const letters = text
    .replace(/[-_]/g, (each) => (each === '-' ? '+' : '/'))
    .replace(/=[\s\S]*$|[^A-Za-z0-9+/]/g, '')
  return atob(letters.length % 4 === 1 ? letters.slice(0, -1) : letters)
}
