#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
. tests/cli/lib

# what kubectl prints is written by hand in its format; its pods cannot be entered
cat >"$TMPDIR/kubectl" <<'END'
#!/bin/bash
echo "$*" >>"$TMPDIR/asked"
[ "$1" = get ] || { echo 'error: exec: "hoploss": executable file not found in $PATH' >&2; exit 1; }
file=tests/cli/data/kubectl/$2-$3.json
[ "$2" = pod ] && file=tests/cli/data/kubectl/pod.json
cat "$file" 2>/dev/null || { echo "Error from server (NotFound): $2 \"$3\" not found" >&2; exit 1; }
END
chmod +x "$TMPDIR/kubectl"
export PATH=$TMPDIR:$PATH
cp -r tests/hosts/pvc-on-nas/bundle "$TMPDIR/home"
kubelet=/var/lib/kubelet/pods/7d8f1c52-1f0a-4f0e-9a0e-3b8f1f6f2a11/volumes/kubernetes.io~csi/pvc-1/mount
echo "61 22 8:16 / $kubelet rw,relatime shared:31 - ext4 /dev/sdb rw,stripe=32" \
    >>"$TMPDIR/home/hosts/worker/root/proc/self/mountinfo"
path=$TMPDIR/path.conf
run 0 discover "$TMPDIR/home" --pod shop/db-0:/var/lib/postgresql/data/base --out "$path"
for text in "target = file:$kubelet/pg/base/hoploss.bin" "[hop initiator]" "target = /dev/zvol/tank/pvc-1" \
    "# volume data of pod shop/db-0, claim data-db-0, pvc-1: CSI org.democratic-csi.iscsi, pvc-1, iSCSI iqn.2005-10.org.freenas.ctl:pvc-1 LUN 0 at 10.0.0.2:3260, by kubectl"; do
    grep -qF -- "$text" "$path" || fail "no \"$text\" in $(cat "$path")"
done
grep -vE '^(get (pod|persistentvolume|persistentvolumeclaim) |exec -i -n shop db-0 -- )' "$TMPDIR/asked" &&
    fail "kubectl was asked for more than it should be"
refuse() { # PATH TEXT: nothing is found there, and why
    run 3 discover "$TMPDIR/home" --pod "shop/db-0:$1"
    says err "$2"
}
refuse /shared "is on a file server (NFS or SMB)"
refuse /etc/keys/a 'the volume keys of the pod is "secret"'
refuse /usr "is on no volume of the pod"
rm -r "$TMPDIR/home/hosts/worker"
sed -i '/"worker"/d; s/\("nas".*\),$/\1/' "$TMPDIR/home/bundle.json"
refuse /dump "runs on the node worker.example.net, which no captured host is"
