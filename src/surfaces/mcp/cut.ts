/** At most so many characters of a text. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…`.toWellFormed() : text

/** Where something stands, as `read` takes it. */
export const citation = ({ path, line }: { path: string; line: number }): string => `${path}:${line}`
