import type { NewShareLink, shareLinks } from '@isotherm/contract/share-links.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { presentLink } from './present.ts'
import { linksOfDevice, linksOfGroup, pageOfLinks } from './queries.ts'
import { logoByToken, readByToken } from './read-by-token.ts'
import { type DeviceParts, readShared } from './read-shared.ts'
import { addWall, changeWall, type MadeLink, revoke, shareDevice, shareGroup } from './verbs.ts'

const made = ({ row, token }: MadeLink): NewShareLink => ({ ...presentLink(row), token })

export const shareLinkHandlers = (parts: DeviceParts): Handlers<typeof shareLinks> => ({
  async ofDevice(ctx, { params }) {
    const { id } = await findVisible(ctx, deviceIdOf(params.id))
    return (await linksOfDevice(ctx, id)).map(presentLink)
  },
  shareDevice: async (ctx, { params, body }) => made(await shareDevice(ctx, params.id, body)),
  revokeOfDevice: (ctx, { params }) => revoke(ctx, 'device', params.id),
  async ofGroup(ctx, { params }) {
    const { id } = await findGroup(ctx, params.id)
    return (await linksOfGroup(ctx, id)).map(presentLink)
  },
  shareGroup: async (ctx, { params, body }) => made(await shareGroup(ctx, params.id, body)),
  revokeOfGroup: (ctx, { params }) => revoke(ctx, 'group', params.id),
  all: async (ctx, { query }) => presentPage(query, await pageOfLinks(ctx, query), presentLink),
  addWall: async (ctx, { body }) => made(await addWall(ctx, body)),
  changeWall: async (ctx, { params, body }) => presentLink(await changeWall(ctx, params.id, body)),
  revokeWall: (ctx, { params }) => revoke(ctx, 'wall', params.id),
  wall: (ctx, { query }) =>
    readShared(ctx, parts, {
      ...{ kind: 'wall', device_id: null, group_ids: query.groupIds?.split(',') ?? [], expires_at: null, turn_s: null },
      ...{ shows_position: false, shows_chart: true, shows_private: query.showsPrivate === 'true' },
    }),
  read: (ctx, { body }) => readByToken(ctx, parts, body),
  logo: (ctx, { body }) => logoByToken(ctx, parts, body),
})
