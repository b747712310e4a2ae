# Shared by the peer scripts. Each of them is called as
#
#   NAME fetch                             install the peer into the cache, if it is not there
#   NAME serve PORT DATA_DIR STORAGE       become the peer: STORAGE is "memory" or "disk"
#
# "serve" ends in exec, so the process that was started is the server itself. A peer that cannot
# be had on this machine ends with status 3 and says why.
set -euo pipefail

PEERS_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CACHE=${STATOR_BENCH_CACHE:-$PEERS_DIR/../../build/bench}/peers
HOST=127.0.0.1

skip() {
  echo "$(basename "$0"): skipped: $*" >&2
  exit 3
}

need() {
  command -v "$1" >/dev/null || skip "$1 is not installed"
}

usage() {
  echo "usage: $(basename "$0") fetch | serve PORT DATA_DIR memory|disk" >&2
  exit 2
}

# Runs fetch_peer or serve_peer, which the script defines.
main() {
  case "${1:-}" in
    fetch)
      [ $# -eq 1 ] || usage
      mkdir -p "$CACHE"
      fetch_peer
      ;;
    serve)
      [ $# -eq 4 ] || usage
      [ "$4" = memory ] || [ "$4" = disk ] || usage
      mkdir -p "$3"
      serve_peer "$2" "$(cd "$3" && pwd)" "$4"
      ;;
    *) usage ;;
  esac
}
