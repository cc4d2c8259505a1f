#!/bin/sh
# Install one lock file into .venv, creating .venv first if need be.
#
#   sh scripts/install.sh requirements.lock
#
# Does nothing, and needs no network, when that very lock file is installed already: what was
# installed is remembered by its contents, not by its time, which a checkout changes.
# PYTHON names the interpreter to build .venv with (default: python3.11, python3.12, python3).
set -eu

lock=$1
venv=.venv
stamp=$venv/$(basename "$lock")

usable() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null
}

if [ -d "$venv" ] && ! { usable "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }; then
    echo "The virtual environment in $venv is broken; making it anew." >&2
    rm -rf "$venv"
fi

if [ ! -d "$venv" ]; then
    found=
    for candidate in ${PYTHON:+"$PYTHON"} python3.11 python3.12 python3; do
        if usable "$candidate"; then
            found=$candidate
            break
        fi
    done
    if [ -z "$found" ]; then
        echo "Python 3.11 or 3.12 is needed and was not found. If it is installed, say: make PYTHON=/path/to/python3.11 …
需要 Python 3.11 或 3.12，但没有找到。若已安装，请写明位置：make PYTHON=/path/to/python3.11 …" >&2
        exit 1
    fi
    if ! "$found" -m venv "$venv"; then
        rm -rf "$venv"
        echo "$found cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv
$found 无法建立虚拟环境。Debian、Ubuntu 请先安装：apt install python3-venv" >&2
        exit 1
    fi
fi

if cmp -s "$lock" "$stamp"; then
    exit 0
fi

# The stamp goes first and comes back last, so an interrupted installation is never taken for a whole one.
rm -f "$stamp"
echo "Installing $lock …"
if ! PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
    "$venv/bin/python" -m pip install --quiet --require-hashes --requirement "$lock"; then
    # There is no gettext yet, and whoever starts a tournament may read one of the two only.
    echo "
The packages of $lock could not be installed. The first start needs the internet, later ones do not: look at
the network and run make again. Where a mirror is to be used: PIP_INDEX_URL=<its address> make run
未能安装所需的软件包。第一次启动需要联网，以后不需要；请检查网络后再次运行 make run。
需要用镜像时：PIP_INDEX_URL=<镜像地址> make run" >&2
    exit 1
fi
cp "$lock" "$stamp"
