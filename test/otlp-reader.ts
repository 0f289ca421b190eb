/** Reads requests of OTLP by the published message definitions, without the library that writes them. */

interface Field {
  number: number
  value: bigint | Buffer
}

function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const number = tag >> 3
    switch (tag & 7) {
      case 0:
        yield { number, value: varint() }
        break
      case 1:
        yield { number, value: bytes.readBigUInt64LE(at) }
        at += 8
        break
      case 2: {
        const length = Number(varint())
        yield { number, value: bytes.subarray(at, at + length) }
        at += length
        break
      }
      case 5:
        yield { number, value: BigInt(bytes.readUInt32LE(at)) }
        at += 4
        break
      default:
        throw new Error(`wire type ${tag & 7}`)
    }
  }
}

const all = (bytes: Buffer, number: number): Buffer[] =>
  [...fieldsOf(bytes)].filter((field) => field.number === number).map(({ value }) => value as Buffer)

const one = (bytes: Buffer, number: number): bigint | Buffer | undefined =>
  [...fieldsOf(bytes)].find((field) => field.number === number)?.value

/** An `AnyValue`: a string, a boolean, an integer, or a list of them. */
function anyValue(bytes: Buffer): unknown {
  const [field] = fieldsOf(bytes)
  switch (field?.number) {
    case 1:
      return String(field.value)
    case 2:
      return field.value === 1n
    case 3:
      return Number(BigInt.asIntN(64, field.value as bigint))
    case 5:
      return all(field.value as Buffer, 1).map(anyValue)
    default:
      throw new Error(`value of kind ${field?.number}`)
  }
}

const attributesOf = (bytes: Buffer, number: number): Record<string, unknown> =>
  Object.fromEntries(
    all(bytes, number).map((pair) => [String(one(pair, 1)), anyValue(one(pair, 2) as Buffer)]),
  )

export interface ReadLog {
  resource: Record<string, unknown>
  scope: string
  timeMs: number
  event: string
  body: unknown
  attributes: Record<string, unknown>
}

/** The log records of an `ExportLogsServiceRequest`. */
export const readLogs = (request: Buffer): ReadLog[] =>
  all(request, 1).flatMap((resourceLogs) => {
    const resource = attributesOf(one(resourceLogs, 1) as Buffer, 1)
    return all(resourceLogs, 2).flatMap((scopeLogs) => {
      const scope = String(one(one(scopeLogs, 1) as Buffer, 1))
      return all(scopeLogs, 2).map((log) => {
        const body = one(log, 5)
        return {
          ...{ resource, scope, timeMs: Number((one(log, 1) as bigint) / 1_000_000n) },
          event: String(one(log, 12)),
          body: body === undefined ? undefined : anyValue(body as Buffer),
          attributes: attributesOf(log, 6),
        }
      })
    })
  })
