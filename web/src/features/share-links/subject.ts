import { type NewShareLink, type ShareLink, shareLinks } from '@isotherm/contract/share-links.ts'
import { call } from '../../lib/call.ts'
import { refetchCalls } from '../../lib/query.ts'

/** A device or group that links are made of. */
export interface Subject {
  kind: 'device' | 'group'
  id: string
  name: string
}

/** The address that a link opens; its token stands after the #, which no server is sent. */
export const addressOf = ({ kind, token }: Pick<NewShareLink, 'kind' | 'token'>): string =>
  `${location.origin}/${kind === 'wall' ? 'wall' : 'share'}#${token}`

/** The call that revokes a link of each kind. */
export const revoking = {
  device: shareLinks.revokeOfDevice,
  group: shareLinks.revokeOfGroup,
  wall: shareLinks.revokeWall,
}

export async function revokeLink({ kind, id }: ShareLink): Promise<void> {
  await call(revoking[kind], { params: { id } })
  await refetchLinks()
}

export const refetchLinks = () => refetchCalls(shareLinks.ofDevice, shareLinks.ofGroup, shareLinks.all)
