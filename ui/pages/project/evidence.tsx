import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import type { DevlogAnswer } from '../../api/shapes.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Button } from '../../parts/button.tsx'
import { Awaited } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { Section } from '../../shell/page.tsx'
import { sessionAddress } from '../../state/router.ts'
import { counted } from '../../text/figures.ts'

type Evidence = NonNullable<DevlogAnswer['evidence']>
type Citation = Evidence['commits'][number]['commit']

interface Row {
  label: string
  cited: Citation
}

const MOST_ROWS = 8
const STEPS: Record<string, string> = { correction: 'Correction', course: 'Change of course' }

/**
 * What the sessions of a project show: phases, what the human accepted, where they stepped in, and what is open. It is
 * gathered when somebody asks, because that reads every session.
 */
export function ProjectEvidence({ project }: { project: string }) {
  const [wanted, setWanted] = useState<string>()
  const asked = useAnswer(
    wanted === project ? ask('devlog', { project, yes: true, evidence: true }) : undefined,
  )
  return (
    <Section title="Evidence" more="corrections, agreement and open ends, each with its record">
      {wanted === project ? (
        <Awaited asked={asked} what="The evidence">
          {({ evidence }) => evidence && <Lists evidence={evidence} />}
        </Awaited>
      ) : (
        <Button label="Show the evidence" onClick={() => setWanted(project)} />
      )}
    </Section>
  )
}

function Lists({ evidence }: { evidence: Evidence }) {
  const { phases, dynamics, errors, questions, coverage } = evidence
  const { used, fitting } = coverage.sessions
  const open = [
    ...errors
      .filter(({ ending }) => ending === 'still-failing')
      .map(({ error }) => ({ label: 'Still failing', cited: error })),
    ...questions
      .filter(({ answer }) => answer === null)
      .map(({ question }) => ({ label: 'No answer', cited: question })),
  ]
  return (
    <>
      <p class="note">{`${used} of ${counted(fitting, 'session')} used, ${coverage.items.read} of ${counted(coverage.items.there, 'item')} read`}</p>
      <Cited
        title="Phases"
        rows={phases.map(({ title, asked }) => ({ label: title, cited: asked }))}
        empty="No human wrote in these sessions."
      />
      <Cited
        title="What the human accepted"
        rows={dynamics.flatMap(({ kind, citations: [cited] }) =>
          kind === 'agreement' && cited ? [{ label: 'Agreement', cited }] : [],
        )}
        empty="The rules found no agreement."
      />
      <Cited
        title="Where the human stepped in"
        rows={dynamics.flatMap(({ kind, citations: [cited] }) =>
          STEPS[kind] && cited ? [{ label: STEPS[kind], cited }] : [],
        )}
        empty="The rules found nothing."
      />
      <Cited title="Open" rows={open} empty="Nothing is open." />
    </>
  )
}

function Cited({ title, rows, empty }: { title: string; rows: readonly Row[]; empty: ComponentChildren }) {
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, MOST_ROWS)
  return (
    <div>
      <h3>{title}</h3>
      {rows.length === 0 && <p class="note">{empty}</p>}
      <ul class="hits">
        {shown.map(({ label, cited }, place) => (
          <li key={place}>
            <a class="hit" href={sessionAddress(cited.session, cited.line)}>
              <span class="hit-head">
                <span class="hit-who" dir="auto">
                  {label}
                </span>
                <Time at={cited.at} />
              </span>
              <span class="hit-words" dir="auto">
                {cited.quote}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <Button label={`Show all ${rows.length}`} onClick={() => setAll(true)} />
      )}
    </div>
  )
}
