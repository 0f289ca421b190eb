/** What base64 stands for, one character a byte, as far as it can be read; browsers have no other way that they share with Node. */
export function fromBase64(text: string): string {
  const letters = text
    .replace(/[-_]/g, (each) => (each === '-' ? '+' : '/'))
    .replace(/=[\s\S]*$|[^A-Za-z0-9+/]/g, '')
  return atob(letters.length % 4 === 1 ? letters.slice(0, -1) : letters)
}
