import * as z from 'zod/mini'
import { STYLES } from '../../devlog/draft/styles.ts'
import { DYNAMIC_KINDS } from '../../devlog/dynamics/kinds.ts'
import { FINDING_KINDS } from '../../devlog/facts/finding.ts'

const citationShape = () =>
  z.object({
    session: z.string(),
    path: z.string(),
    line: z.number(),
    at: z.nullable(z.string()),
    quote: z.string(),
    digest: z.string(),
  })

const maybeCitation = () => z.nullable(citationShape())
const sides = () => z.object({ human: z.number(), agent: z.number(), program: z.number() })

const sessionShape = () =>
  z.object({
    ...{ id: z.string(), path: z.string(), platform: z.string(), agent: z.string() },
    ...{ kind: z.nullable(z.string()), project: z.nullable(z.string()), title: z.nullable(z.string()) },
    ...{ startedAt: z.nullable(z.string()), lastActivityAt: z.nullable(z.string()) },
    ...{ main: z.boolean(), turns: z.number(), messages: sides(), words: sides() },
    ...{ toolCalls: z.number(), errors: z.number() },
  })

const phaseShape = () =>
  z.object({
    ...{ title: z.string(), from: z.string(), to: z.string() },
    ...{ sessions: z.array(z.string()), turns: z.number() },
    files: z.array(z.object({ path: z.string(), edits: z.number() })),
    ...{ changedFiles: z.number(), errors: z.number() },
    ...{ asked: citationShape(), result: maybeCitation() },
    hardPart: z.nullable(z.object({ why: z.string(), citations: z.array(citationShape()) })),
  })

const coverageShape = () =>
  z.object({
    sessions: z.object({ used: z.number(), fitting: z.number(), seen: z.number() }),
    items: z.object({ read: z.number(), there: z.number() }),
    duplicates: z.number(),
  })

/** The evidence as JSON. */
const evidenceShape = () =>
  z.object({
    ...{ project: z.nullable(z.string()), topic: z.nullable(z.string()) },
    span: z.nullable(z.object({ from: z.string(), to: z.string() })),
    coverage: coverageShape(),
    sessions: z.array(sessionShape()),
    totals: z.object({ turns: z.number(), words: sides(), toolCalls: z.number(), errors: z.number() }),
    phases: z.array(phaseShape()),
    decisions: z.array(
      z.object({
        how: z.enum(['agreed', 'declined', 'answered', 'rule']),
        ...{ about: maybeCitation(), decision: citationShape() },
      }),
    ),
    questions: z.array(
      z.object({ by: z.enum(['human', 'agent']), question: citationShape(), answer: maybeCitation() }),
    ),
    abandoned: z.array(
      z.object({
        how: z.enum(['taken-back', 'declined', 'interrupted', 'reverted']),
        what: citationShape(),
      }),
    ),
    dynamics: z.array(
      z.object({
        kind: z.enum(DYNAMIC_KINDS),
        ...{ score: z.number(), detail: z.nullable(z.string()), citations: z.array(citationShape()) },
      }),
    ),
    themes: z.array(
      z.object({ about: z.string(), sessions: z.number(), citations: z.array(citationShape()) }),
    ),
    files: z.array(
      z.object({
        ...{ path: z.string(), status: z.enum(['created', 'changed']), edits: z.number() },
        ...{ sessions: z.array(z.string()), asked: z.array(citationShape()) },
        askedBy: z.object({ human: z.number(), program: z.number() }),
        ...{ first: citationShape(), last: citationShape() },
      }),
    ),
    commands: z.array(
      z.object({
        ...{ kind: z.string(), count: z.number(), failed: z.number() },
        examples: z.array(citationShape()),
      }),
    ),
    tests: z.array(
      z.object({
        outcome: z.enum(['failed', 'no-error', 'unknown']),
        ...{ run: citationShape(), error: maybeCitation() },
      }),
    ),
    errors: z.array(
      z.object({
        ...{ tool: z.nullable(z.string()), error: citationShape(), times: z.number() },
        ending: z.enum(['fixed', 'still-failing', 'not-repeated']),
        fixedBy: maybeCitation(),
      }),
    ),
    commits: z.array(z.object({ subject: z.string(), commit: citationShape() })),
    pullRequests: z.array(
      z.object({ url: z.nullable(z.string()), title: z.nullable(z.string()), mention: citationShape() }),
    ),
  })

const leakShape = () => z.object({ kind: z.string(), value: z.nullable(z.string()), times: z.number() })

const reportShape = () =>
  z.object({
    ...{ title: z.string(), words: z.number(), citations: z.number() },
    ...{ sessions: z.number(), coverage: coverageShape() },
    span: z.nullable(z.object({ from: z.string(), to: z.string() })),
    keyFiles: z.array(z.string()),
    /** With a budget. */
    budget: z.optional(
      z.object({
        ...{ wanted: z.number(), used: z.number() },
        leftOut: z.object({ blocks: z.number(), shortened: z.number() }),
      }),
    ),
  })

/** What the check found in a written text. */
const factsShape = () =>
  z.object({
    ...{ writer: z.string(), asked: z.number() },
    findings: z.array(
      z.object({ kind: z.enum(FINDING_KINDS), line: z.number(), sentence: z.string(), what: z.string() }),
    ),
  })

const checkedShape = () =>
  z.object({
    ...{ number: z.number(), session: z.string(), line: z.number(), digest: z.string() },
    ...{ quotes: z.array(z.string()), state: z.enum(['holds', 'changed', 'edited', 'gone']) },
    stored: z.boolean(),
  })

/** The answer of `devlog`: a draft or evidence, or with `--check` the state of citations. */
export const output = () =>
  z.object({
    version: z.literal(1),
    style: z.enum(STYLES),
    selection: z.optional(
      z.array(
        z.object({
          ...{ id: z.string(), path: z.string(), isIn: z.boolean(), main: z.boolean(), why: z.string() },
          ...{ title: z.nullable(z.string()), startedAt: z.nullable(z.string()) },
        }),
      ),
    ),
    evidence: z.optional(evidenceShape()),
    /** The text in the requested format, unless it was written to `file`. */
    draft: z.optional(z.string()),
    file: z.optional(z.object({ path: z.string(), bytes: z.number() })),
    report: z.optional(reportShape()),
    /** With `--writer`. With `--strict` and findings, there is no text. */
    facts: z.optional(factsShape()),
    leaks: z.optional(z.array(leakShape())),
    check: z.optional(
      z.object({
        ...{ file: z.string(), holds: z.number(), changed: z.number() },
        ...{ edited: z.number(), gone: z.number(), citations: z.array(checkedShape()) },
      }),
    ),
  })

export type DevlogAnswer = z.output<ReturnType<typeof output>>
