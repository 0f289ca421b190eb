import type { Jobs } from '../../api/shapes.ts'
import type { Asked } from '../../api/use-answer.ts'
import { Time } from '../../parts/time.tsx'
import { Section } from '../../shell/page.tsx'

export function FailingJobs({ asked: { answer } }: { asked: Asked<Jobs> }) {
  if (!answer || answer.jobs.length === 0) return null
  return (
    <Section title="Failing jobs" more={<a href="/jobs">All jobs</a>}>
      <ul class="cards">
        {answer.jobs.map((job) => (
          <li key={job.id}>
            <a class="card" href={`/jobs?job=${encodeURIComponent(job.id)}`}>
              <span class="status" data-state="failed" dir="auto">
                {job.name}
              </span>
              <span class="card-words" dir="auto">
                {job.last?.error ?? 'Its last run failed.'}
              </span>
              <span class="card-facts">
                <span>{job.schedule.words}</span>
                <Time at={job.last?.at} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
