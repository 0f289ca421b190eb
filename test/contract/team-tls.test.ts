import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import { createFront } from '../clickhouse/tls-front.ts'
import { hasServer } from './engines.ts'
import { machine } from './machine.ts'
import { CHOSEN } from './team.ts'

describe.runIf(hasServer)('the connection to a team store', () => {
  it('uses TLS without being asked to, with a certificate that NODE_EXTRA_CA_CERTS names', async () => {
    const { home, ask, at, basic, port } = machine()
    const authority = makeCertificate(home, 'DNS:authority.example.org')
    const certificate = makeCertificate(home, 'IP:127.0.0.1', authority)
    await using front = await createFront(port, certificate)
    const trusted = { NODE_EXTRA_CA_CERTS: authority.files.cert }
    expect(await ask(['collect', at(front.port), '--device', 'oak', ...CHOSEN], trusted)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Delivered 1 message'),
    })
    expect((await ask(['search', 'fern', '--store', at(front.port)], trusted)).stdout).toContain(
      'Water the fern',
    )
    expect(front.got()).toContain(`Basic ${basic}`)
  })

  it.each<Record<string, string>>([{}, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }])(
    'says what to do about a certificate that it does not trust, and sends nothing: %o',
    async (variables) => {
      const { home, ask, at, port } = machine()
      await using front = await createFront(port, makeCertificate(home, 'IP:127.0.0.1'))
      for (const words of [
        ['collect', at(front.port), '--device', 'oak', ...CHOSEN],
        ['sessions', '--all', '--store', at(front.port)],
      ]) {
        const { code, stdout, stderr } = await ask(words, variables)
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toContain('DEPTH_ZERO_SELF_SIGNED_CERT')
        expect(stderr).toContain('NODE_EXTRA_CA_CERTS')
      }
      expect(front.got()).toBe('')
    },
  )

  it('is not made to a host that the certificate does not name', async () => {
    const { home, ask, at, port } = machine()
    const certificate = makeCertificate(home, 'DNS:db.example.org')
    await using front = await createFront(port, certificate)
    const { code, stderr } = await ask(['sessions', '--all', '--store', at(front.port)], {
      NODE_EXTRA_CA_CERTS: certificate.files.cert,
    })
    expect(code).toBe(1)
    expect(stderr).toContain('is for another host')
    expect(front.got()).toBe('')
  })

  it('sends no password to a port without TLS, unless it is asked to', async () => {
    const { ask, at, basic, port } = machine()
    await using front = await createFront(port)
    const refused = await ask(['sessions', '--all', '--store', at(front.port)])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not speak TLS') })
    expect(front.got()).not.toContain('Basic')
    const asked = await ask(['sessions', '--all', '--store', `${at(front.port)}?tls=off`])
    // The store answers, and has no sessions.
    expect(asked).toMatchObject({ code: 1, stderr: '' })
    expect(front.got()).toContain(`Basic ${basic}`)
  })
})
