import { questions, type Reachable } from './questions.ts'

/** All endpoints that a question answers, with the description of the others. */
export const endpoints: ReadonlyMap<string, Reachable> = new Map<string, Reachable>([
  ...questions,
  ['openapi.json', { load: async () => (await import('./openapi.ts')).openapi as never }],
])
