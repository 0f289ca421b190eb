import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from '../certificate.ts'

/**
 * A server that decrypts what it gets, if it has a certificate, and passes it on to a port of this machine.
 * `got` is what was decrypted.
 */
export async function createFront(port: number, certificate?: Certificate) {
  const got: Buffer[] = []
  const sockets = new Set<Socket>()
  const pass = (socket: Socket): void => {
    const other = connect(port, '127.0.0.1')
    for (const each of [socket, other]) {
      sockets.add(each)
      each.on('error', () => each.destroy())
      each.on('close', () => (each === socket ? other : socket).destroy())
    }
    socket.on('data', (data) => got.push(data))
    socket.pipe(other).pipe(socket)
  }
  const front = certificate ? createTlsServer(certificate, pass) : createServer(pass)
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  return {
    port: (front.address() as AddressInfo).port,
    got: (): string => Buffer.concat(got).toString('latin1'),
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.destroy()
      front.close()
      await once(front, 'close')
    },
  }
}
