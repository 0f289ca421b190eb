import * as z from 'zod/mini'
import { loadSessions } from '../kit/load-sessions.ts'
import { defineQuestion } from './question.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    agents: z.array(z.string()),
    models: z.array(z.string()),
    branches: z.array(z.string()),
  })

type Answer = z.output<ReturnType<typeof output>>

/** What the filters of the page can be set to, whatever they are set to now. */
export const choices = defineQuestion({
  name: 'choices',
  summary: 'the agents, models and Git branches of all sessions, by name',
  input: z.object({}),
  output,
  run(_, context): Answer {
    const agents = new Set<string>()
    const models = new Set<string>()
    const branches = new Set<string>()
    for (const session of loadSessions({}, context).sessions) {
      agents.add(session.agent)
      if (session.model !== undefined) models.add(session.model)
      for (const branch of session.branches ?? []) branches.add(branch)
    }
    return {
      version: 1,
      agents: [...agents].sort(),
      models: [...models].sort(),
      branches: [...branches].sort(),
    }
  },
})
