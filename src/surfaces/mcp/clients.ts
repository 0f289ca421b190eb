import { identities } from '../../platforms/identities.ts'

/** What a client says about itself when it connects. */
export interface Client {
  name: string
  version: string
}

/**
 * Whether a client passes only the structured form of an answer to its agent. All others get the text too.
 */
export function showsStructured(client: Client | undefined): boolean {
  if (!client) return false
  const version = client.version.split('.').map((part) => Number.parseInt(part, 10))
  return identities.some(({ client: known }) => {
    const structured = known?.structured
    return structured?.name.test(client.name) && isSince(version, structured.since)
  })
}

function isSince(version: readonly number[], since: readonly number[]): boolean {
  for (const [index, wanted] of since.entries()) {
    const part = version[index] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}
