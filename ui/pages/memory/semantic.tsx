import type { MemoryAnswer } from '../../api/shapes.ts'
import { Time } from '../../parts/time.tsx'
import { Section } from '../../shell/page.tsx'
import { count } from '../../text/figures.ts'
import { shortPath } from '../../text/names.ts'

/** The indexes that agents search their memory with, and whether they are outdated. */
export function Semantic({ rows }: { rows: NonNullable<MemoryAnswer['semantic']> }) {
  return (
    <Section title="Semantic memory">
      <div class="table-holder" tabIndex={0} role="region" aria-label="Semantic memory">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col" class="right">
                Chunks
              </th>
              <th scope="col">Up to date</th>
              <th scope="col">Last made</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const outdated = row.changed.length + row.gone.length + row.missing.length
              return (
                <tr key={row.path}>
                  <th scope="row">
                    <span dir="auto">{row.agent}</span>
                    <p class="note" dir="auto">
                      {shortPath(row.path)}
                    </p>
                  </th>
                  <td class="right">{count(row.chunks)}</td>
                  <td>
                    <span class="status" data-state={outdated > 0 ? 'warning' : 'ok'}>
                      {outdated > 0 ? `${outdated} outdated` : 'yes'}
                    </span>
                  </td>
                  <td>
                    <Time at={row.updatedAt} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
