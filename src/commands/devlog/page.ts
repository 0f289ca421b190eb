import { pageHead } from '../export/page.ts'

/** A draft as one page that loads and runs nothing, like that of `export`. */
export const documentPage = (title: string, body: string, now: number): string =>
  `${pageHead(title, true, now)}${body}</body>\n</html>\n`
