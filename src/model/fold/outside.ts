import type { Artifact } from '../artifact.ts'
import { hash53 } from '../hash.ts'

/** Identifies what other files say about a session. The speakers of all its prompts may depend on it. */
export const outsideOf = ({ links, sideQuestions, kindHint }: Artifact): number =>
  hash53([JSON.stringify([links, sideQuestions, kindHint])], 0)
