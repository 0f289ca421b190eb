import { identities } from '../../src/platforms/identities.ts'
import { ask } from '../api/ask.ts'
import type { ChoicesAnswer, ProjectsAnswer } from '../api/shapes.ts'
import { useAnswer } from '../api/use-answer.ts'
import { query, setQuery } from '../state/router.ts'
import { Select } from './select.tsx'

export const CLIENTS = [
  { value: '', label: 'Every client' },
  ...identities.map(({ id, name }) => ({ value: id, label: name })),
]

export const useProjects = (): ProjectsAnswer['projects'] => useAnswer(ask('projects')).answer?.projects ?? []

/** Narrows a list down to a project, which is in the address. */
export function ProjectSelect() {
  const projects = useProjects()
  return (
    <Select
      label="Project"
      value={query('project')}
      options={[
        { value: '', label: 'Every project' },
        ...projects.map(({ name }) => ({ value: name, label: name })),
      ]}
      onChange={(project) => setQuery({ project })}
    />
  )
}

/** Narrows a list down to a client, which is in the address. */
export const ClientSelect = () => (
  <Select
    label="Client"
    value={query('platform')}
    options={CLIENTS}
    onChange={(platform) => setQuery({ platform })}
  />
)

/** What the filters can be set to, whatever they are set to now. */
export const useChoices = (): ChoicesAnswer | undefined => useAnswer(ask('choices'), { keep: true }).answer

/** Narrows a list down to an agent, which is in the address. */
export function AgentSelect() {
  const agents = useChoices()?.agents ?? []
  return (
    <Select
      label="Agent"
      value={query('agent')}
      options={[{ value: '', label: 'Every agent' }, ...agents.map((name) => ({ value: name, label: name }))]}
      onChange={(agent) => setQuery({ agent })}
    />
  )
}
