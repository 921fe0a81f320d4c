import { expect, test } from 'vitest'
import { refuseUrl } from './hub-client.ts'

test.each(['https://hub.example', 'https://hub.example:4600/', 'http://127.0.0.1:4600', 'http://localhost:1', 'http://[::1]:4600'])(
  'a hub can be at %s',
  url => {
    expect(refuseUrl(url)).toBeUndefined()
  },
)

test.each([
  ['hub.example', 'is no URL'],
  ['http://hub.example', 'begins with https://'],
  ['http://10.0.0.1:4600', 'begins with https://'],
  ['ftp://127.0.0.1', 'begins with https://'],
  ['https://hub.example/belay', 'which is as https://hub.example'],
  ['http://127.0.0.1:4600/x?y#z', 'which is as http://127.0.0.1:4600'],
  ['https://ana@hub.example', 'which is as https://hub.example'],
])('a hub cannot be at %s', (url, why) => {
  expect(refuseUrl(url)).toContain(why)
})
