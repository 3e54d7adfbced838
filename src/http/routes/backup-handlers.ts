import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { backupView } from '../../api/operator/backup-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Exchange } from '../../exchange/exchange.js'
import { busy } from '../../doors/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { adminRoutes } from '../../api/operator/admin-routes.js'

/** Serves copies of the data file to operators, behind the guard. */
export function backupHandlers(exchange: Exchange): Binding[] {
  return [
    handle(adminRoutes.makeBackup, async call => {
      const made = await exchange.backups.make('asked', byOf(call))
      if (made === 'backup_under_way') throw new ApiError(409, REFUSED.backupUnderWay, 'backup_under_way')
      if (made === 'disk_low') throw busy(made)
      if ('failed' in made) throw new ApiError(500, `The backup failed: ${made.failed}`, 'backup_failed')
      return success(call, 201, DONE.backupMade, backupView(made))
    }),
    handle(adminRoutes.verifyBackup, async call => {
      const backup = await exchange.backups.find(call.params.backup)
      if (backup === undefined) throw new ApiError(404, REFUSED.backupNotFound, 'backup_not_found')
      if (exchange.backups.store.isSealed) throw new ApiError(409, REFUSED.backupSealed, 'backup_sealed')
      void exchange.backups.verify(backup.name)
      return success(call, 200, DONE.backupChecking, { name: backup.name })
    }),
    handle(adminRoutes.listBackups, async call => {
      const backups = await exchange.backups.list()
      return success(call, 200, DONE.backupsFetched, { backups: backups.map(backupView) })
    }),
  ]
}
