import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { admit } from './guard.ts'

/** A server that reserves connections, and clients that connect to it. */
function guarded(most: number) {
  const server = new EventEmitter()
  const { trust } = admit(server as unknown as Server, most)
  const open: string[] = []
  return {
    open,
    trust,
    connect(name: string, remoteAddress: string): Socket {
      const client = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroy() {
          open.splice(open.indexOf(name), 1)
          client.emit('close')
        },
      })
      open.push(name)
      server.emit('connection', client)
      return client as unknown as Socket
    },
  }
}

describe('connections without the token', () => {
  it('close the oldest one of the address with most of them if there are too many', () => {
    const { connect, open } = guarded(3)
    connect('one', '192.0.2.1')
    connect('two', '192.0.2.2')
    connect('three', '192.0.2.2')
    expect(open).toEqual(['one', 'two', 'three'])
    connect('four', '192.0.2.3')
    expect(open).toEqual(['one', 'three', 'four'])
    connect('five', '192.0.2.3')
    expect(open).toEqual(['one', 'three', 'five'])
  })

  it('are counted until they are closed', () => {
    const { connect, open } = guarded(2)
    const first = connect('one', '192.0.2.1')
    connect('two', '192.0.2.1')
    first.destroy()
    connect('three', '192.0.2.1')
    expect(open).toEqual(['two', 'three'])
  })

  it('close none that has sent it', () => {
    const { connect, open, trust } = guarded(2)
    const first = connect('one', '192.0.2.1')
    trust(first)
    trust(first)
    for (const name of ['two', 'three', 'four']) connect(name, '192.0.2.1')
    expect(open).toEqual(['one', 'three', 'four'])
    first.destroy()
    connect('five', '192.0.2.1')
    expect(open).toEqual(['four', 'five'])
  })
})
