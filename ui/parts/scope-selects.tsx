import { identities } from '../../src/platforms/identities.ts'
import type { ProjectsAnswer } from '../api/shapes.ts'
import { useAnswer } from '../api/use-answer.ts'
import { query, setQuery } from '../state/router.ts'
import { Select } from './select.tsx'

const CLIENTS = [
  { value: '', label: 'Every client' },
  ...identities.map(({ id, name }) => ({ value: id, label: name })),
]

/** Narrows a list down to a project, which is in the address. */
export function ProjectSelect() {
  const projects = useAnswer<ProjectsAnswer>('/api/projects').answer?.projects ?? []
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
