import { FilesMovedError } from '../store/files/file-places.js'

const DISK_FULL = /database or disk is full|ENOSPC/

/** Returns the log message for a fault that ends the process. */
export function stopAdvice(error: Error): string {
  if (error instanceof FilesMovedError) {
    const isLock = error.paths.every(path => path.endsWith('.lock'))
    const advice = isLock ? 'see that no other exchange runs here' : 'put the file back, or restore a copy'
    return `stopped: ${error.message}; ${advice}, and start again`
  }
  if (DISK_FULL.test(error.message)) {
    return 'stopped: the disk is full; start again: nothing acknowledged is lost; make room for new orders'
  }
  return 'stopped: the state in memory can no longer be trusted; start again to recover'
}
