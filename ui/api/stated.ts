import { queries } from '../state/router.ts'
import type { ParametersOf, ReadingName } from './ask.ts'

/**
 * Parameters as the address of the page states them: anybody can write there what they like. The server checks
 * them, and its refusal says what it expects.
 */
export const stated = <Name extends ReadingName>(
  names: readonly (keyof ParametersOf<Name> & string)[],
): ParametersOf<Name> => queries(names) as ParametersOf<Name>
