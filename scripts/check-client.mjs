// Makes the package of the API's client from the present document, and compiles what the docs tell people to write with it (.cache/client).
import { buildClient } from './run/client.mjs'
import { inRoot } from './run/paths.mjs'

process.exitCode = await buildClient(inRoot('.cache/client/dist'))
