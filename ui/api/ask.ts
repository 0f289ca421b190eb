import type * as z from 'zod/mini'
import type { WritingName } from '../../src/surfaces/http/page/endpoints.ts'
import type { Questions } from '../../src/surfaces/http/page/questions.ts'

// What the page may ask, and what it is answered: derived from the endpoints of the server, so that the two cannot
// differ. Only types are imported, so no code of the server gets into the page.

type EndpointName = keyof Questions

type Definition<Name extends EndpointName> = Awaited<ReturnType<Questions[Name]['load']>>

type Without<Name extends EndpointName> = NonNullable<Questions[Name]['without']>[number]

/** The parameters of an endpoint, or the fields of what is sent to it. */
export type ParametersOf<Name extends EndpointName> = Omit<z.input<Definition<Name>['input']>, Without<Name>>

/** What an endpoint answers. */
export type AnswerTo<Name extends EndpointName> = z.output<ReturnType<Definition<Name>['output']>>

/** The endpoints that only read. `post` sends to the others. */
export type ReadingName = Exclude<EndpointName, WritingName>

/** Those that answer with JSON, which has a version. The others answer with a file. */
export type JsonName = {
  [Name in ReadingName]: AnswerTo<Name> extends { version: 1 } ? Name : never
}[ReadingName]

declare const asked: unique symbol

/** An address that `ask` made. Its type says which endpoint it is of, and so what will be answered. */
export type Address<Name extends ReadingName> = string & { readonly [asked]: Name }

/** The address of a question. Parameters that are absent, empty or false are left out, lists are repeated. */
export const ask = <Name extends ReadingName>(
  name: Name,
  parameters: ParametersOf<Name> = {} as ParametersOf<Name>,
): Address<Name> => askMore(`/api/${name}` as Address<Name>, parameters)

/** The same question with more parameters. */
export function askMore<Name extends ReadingName>(
  address: Address<Name>,
  parameters: ParametersOf<Name>,
): Address<Name> {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(parameters)) {
    if (value === undefined || value === '' || value === false) continue
    for (const each of Array.isArray(value) ? value : [value]) search.append(key, String(each))
  }
  if (search.size === 0) return address
  return `${address}${address.includes('?') ? '&' : '?'}${search}` as Address<Name>
}
