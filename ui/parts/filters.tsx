import { identities } from '../../src/platforms/identities.ts'
import { ask, type ChoicesAnswer, type ProjectsAnswer } from '../api/ask.ts'
import { useAnswer } from '../api/use-answer.ts'
import { query, setQuery } from '../state/router.ts'
import { isDay } from '../text/times.ts'
import { Select } from './controls.tsx'

const CLIENTS = [
  { value: '', label: 'Every client' },
  ...identities.map(({ id, name }) => ({ value: id, label: name })),
]

/** The options of a filter: any value, or one of these. */
const named = (any: string, values: readonly string[]) => [
  { value: '', label: any },
  ...values.map((value) => ({ value, label: value })),
]

const useProjects = (): ProjectsAnswer['projects'] => useAnswer(ask('projects')).answer?.projects ?? []

/** Narrows a list down to a project, which is in the address. */
export function ProjectSelect() {
  const projects = useProjects()
  return (
    <Select
      label="Project"
      value={query('project')}
      options={named(
        'Every project',
        projects.map(({ name }) => name),
      )}
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
const useChoices = (): ChoicesAnswer | undefined => useAnswer(ask('choices'), { keep: true }).answer

/** Narrows a list down to an agent, which is in the address. */
export function AgentSelect() {
  const agents = useChoices()?.agents ?? []
  return (
    <Select
      label="Agent"
      value={query('agent')}
      options={named('Every agent', agents)}
      onChange={(agent) => setQuery({ agent })}
    />
  )
}

/** The first or the last day that is shown, in the address. */
export function DayField({ label, name }: { label: string; name: 'since' | 'until' }) {
  const value = query(name)
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="date"
        value={isDay(value) ? value : ''}
        data-on={isDay(value)}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      />
    </label>
  )
}

interface ChosenProperties {
  label: string
  onRemove(): void
}

/** A filter that holds, and how to remove it. */
export const Chosen = ({ label, onRemove }: ChosenProperties) => (
  <button type="button" class="chip" data-on="true" onClick={onRemove}>
    <span dir="auto">{label}</span>
    <span aria-hidden="true">×</span>
    <span class="unseen">, remove this filter</span>
  </button>
)
