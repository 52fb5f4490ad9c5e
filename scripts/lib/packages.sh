# SPDX-License-Identifier: GPL-2.0-or-later
# For bash scripts: downloads Debian packages without installing them. Functions
# print nothing but what is said of them; they end the script by die(), which
# the script has.

# As root, or by sudo where there is one.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# apt's options for what is not of this machine's release.
apt_suite=()

# From now on packages are those of suite $1, from where this machine has its
# own; their lists are kept in folder $2. Nothing that apt knows is changed.
use_suite() {
    local archive
    archive=$(apt-get indextargets --format '$(REPO_URI)' \
        'Created-By: Packages' 'Label: Debian' | head -n 1)
    [ -n "$archive" ] || die "apt knows no archive of Debian's"
    mkdir -p "$2/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
        "$archive $1 main" >"$2.list"
    apt_suite=(-o "Dir::Etc::sourcelist=$2.list" -o Dir::Etc::sourceparts=-
        -o "Dir::State::lists=$2" -o Dir::Cache::pkgcache=
        -o Dir::Cache::srcpkgcache=)
}

# apt-get without a lock, a terminal, or a sandbox user who may not write here.
apt_quietly() {
    apt-get -q -y -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 \
        "${apt_suite[@]}" "$@" </dev/null
}

# The package that metapackage $1 stands for, of those that match $2; its name
# moves with every kernel update, so it is asked for and never written down.
package_behind() {
    apt-cache depends --important "$1" 2>/dev/null |
        sed -n "s/^ *Depends: \($2.*\)\$/\1/p" | head -n 1
}

# Runs a command that downloads, and once more if it fails: there may be no
# package lists yet, or lists so old that the files are gone. $1: a log.
with_lists() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 && return 0
    as_root apt-get -q "${apt_suite[@]}" \
        -o APT::Update::Error-Mode=any update >"$log" 2>&1 </dev/null ||
        die "cannot reach the Debian archive for the package lists:" \
            "$(grep -m1 '^[EW]:' "$log")"
    "$@" >"$log" 2>&1 ||
        die "cannot download packages:" \
            "$(grep -m1 '^E:' "$log" || tail -n 1 "$log")"
}

# Downloads these packages alone into folder $1.
fetch_packages() {
    (cd "$1" && shift && apt_quietly download "$@")
}

# Downloads packages and all that they need on an empty system into folder $1.
fetch_closure() {
    local folder=$1
    shift
    mkdir -p "$folder/partial"
    : >"$folder/status"
    apt_quietly -o Dir::State::status="$folder/status" \
        -o Dir::Cache::archives="$folder" --no-install-recommends \
        --download-only install "$@"
}
