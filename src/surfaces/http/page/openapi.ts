import * as z from 'zod/mini'
import { defineQuestion, type Question } from '../../../commands/serve/question.ts'
import { flagsOf, noteOf } from '../../../context/flags.ts'
import { type Endpoint, endpoints } from './protocol.ts'
import { questions, type Reachable } from './questions.ts'

/** The statuses of refusals. All have the same body. */
const REFUSALS: Readonly<Record<string, string>> = {
  400: 'A parameter is invalid.',
  401: 'The browser is not signed in, or the token is wrong.',
  403: 'The request names another host, or comes from another page.',
  404: 'There is no such session, project or file.',
  409: 'The name has several matches, which are listed.',
  500: 'A fault of the program, or of the store.',
}

const refusalShape = () =>
  z.object({
    version: z.literal(1),
    error: z.string(),
    hint: z.optional(z.string()),
    matches: z.optional(z.array(z.string())),
  })

/** A description of all endpoints, generated from their schemas. */
export const openapi = defineQuestion({
  name: 'openapi.json',
  summary: 'this description of the endpoints',
  input: z.object({}),
  output: () => z.record(z.string(), z.unknown()),
  async run(): Promise<Record<string, unknown>> {
    const paths: Record<string, object> = { '/api/events': EVENTS }
    for (const [name, reachable] of questions)
      paths[`/api/${name}`] = pathOf(await reachable.load(), { ...reachable, ...endpoints.get(name) })
    paths['/api/openapi.json'] = pathOf(openapi as unknown as Question, {})
    return {
      openapi: '3.1.0',
      info: {
        title: 'Scrollback',
        version: '1',
        description: 'What "scrollback serve" answers. Endpoints have the names and the answers of commands.',
      },
      servers: [{ url: '/' }],
      security: [{ cookie: [], key: [] }, { bearer: [] }],
      paths,
      components: {
        schemas: { Refusal: schemaOf(refusalShape()) },
        responses: Object.fromEntries(
          Object.entries(REFUSALS).map(([status, description]) => [
            `Refusal${status}`,
            { description, content: jsonOf({ $ref: '#/components/schemas/Refusal' }) },
          ]),
        ),
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: 'scrollback-{port}' },
          key: { type: 'apiKey', in: 'header', name: 'scrollback-key' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    }
  },
})

const jsonOf = (schema: object): object => ({ 'application/json': { schema } })

const refusals = Object.fromEntries(
  Object.keys(REFUSALS).map((status) => [status, { $ref: `#/components/responses/Refusal${status}` }]),
)

const EVENTS = {
  get: {
    operationId: 'events',
    summary: 'what changes, as server-sent events: hello, changed and activity',
    responses: {
      200: { description: 'Events until the client disconnects.', content: { 'text/event-stream': {} } },
      ...refusals,
    },
  },
}

function pathOf(question: Question, { without = [], writes }: Omit<Reachable, 'load'> & Endpoint): object {
  const { name, summary, input } = question
  const fields = flagsOf(input).filter(({ field }) => !without.includes(field))
  const described = {
    operationId: name,
    summary,
    responses: { 200: { description: 'The answer.', content: contentOf(question) }, ...refusals },
  }
  if (writes) return { post: { ...described, requestBody: { required: true, content: bodyOf(question) } } }
  const seen = new Set<string>()
  return {
    get: {
      ...described,
      parameters: fields.flatMap(({ field, kind }) => {
        // A field with two flags is one parameter.
        if (seen.has(field)) return []
        seen.add(field)
        const description = noteOf(input.shape[field]!)?.description ?? ''
        const schema = schemaOf(input.shape[field]!)
        return [{ name: field, in: 'query', description, schema, ...(kind === 'list' ? EXPLODED : {}) }]
      }),
    },
  }
}

const EXPLODED = { style: 'form', explode: true }

const bodyOf = ({ input }: Question): object => jsonOf(schemaOf(input))

function contentOf({ output, file, prints }: Question): object {
  if (file) return { 'image/*': {} }
  return prints ? { '*/*': {} } : jsonOf(schemaOf(output()))
}

function schemaOf(schema: z.core.$ZodType): object {
  const io = schema instanceof z.ZodMiniObject ? 'output' : 'input'
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return described
}
