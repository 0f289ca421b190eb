#!/usr/bin/env bash
# Guess: `zlib.zstdDecompressSync` of Node reads all frames of a file, as `zstd -dc` and its own `gunzipSync` do.
# Seen with Node 24.21.0: it returns the first frame and ignores the others without an error. A skippable frame
# at the beginning, which RFC 8878 lets decoders pass over and pzstd writes, gives an empty result. So a log of
# several frames is silently short, and `bytesWritten` of the engine (`info: true`) is the only sign of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24.21.0
cat >script.mjs <<'SCRIPT'
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const lines = ['first line\n', 'second line\n', 'third line\n']
const joined = (compress) => Buffer.concat(lines.map((line) => compress(Buffer.from(line))))
const skippable = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]), Buffer.from('note')])
const seen = {
  version: process.version,
  gzip: gunzipSync(joined(gzipSync)).toString().split('\n').length - 1,
  zstd: zstdDecompressSync(joined(zstdCompressSync)).toString().split('\n').length - 1,
  afterSkippable: zstdDecompressSync(Buffer.concat([skippable, joined(zstdCompressSync)])).length,
}
const { engine } = zstdDecompressSync(joined(zstdCompressSync), { info: true })
seen.allRead = engine.bytesWritten === joined(zstdCompressSync).length
console.log(JSON.stringify(seen))
SCRIPT
seen=$(node_modules/.bin/node script.mjs)
echo "lines of three gzip members, of three zstd frames, and bytes after a skippable frame: $seen"
[ "$seen" = '{"version":"v24.21.0","gzip":3,"zstd":1,"afterSkippable":0,"allRead":false}' ]
