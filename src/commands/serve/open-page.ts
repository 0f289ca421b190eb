import type { PageListening, Programs, Reports } from '../kit/context.ts'

/** What opening a page needs. */
export interface Opening extends Pick<Programs, 'openBrowser'>, Pick<Reports, 'note'> {
  /** The variables of the environment. */
  variables: Readonly<Record<string, string | undefined>>
}

/** Opens the page in the browser of the user, or says how to reach it. */
export async function openPage(
  { port, code }: PageListening,
  address: string,
  { variables, openBrowser, note }: Opening,
): Promise<void> {
  if (variables.SSH_CONNECTION)
    return note(
      `To open it on your own machine, forward the port: ssh -L ${port}:127.0.0.1:${port} <this machine>`,
    )
  if (!openBrowser) return
  // Other users can see the command line of the program that opens it, so it has no token.
  const once = new URL(address)
  once.searchParams.delete('token')
  once.searchParams.set('code', code())
  if (!(await openBrowser(once.href))) note('The browser could not be opened. Open the address yourself.')
}
