from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.telemetry.query_xml import read
from generator.telemetry.samples import Samples

DOCUMENT = """\
<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
  <timestamp>Fri May  1 09:00:00 2026</timestamp>
  <gpu id="00000000:01:00.0">
    <fb_memory_usage><total>8192 MiB</total><used>1024 MiB</used></fb_memory_usage>
    <bar1_memory_usage><used>7 MiB</used></bar1_memory_usage>
    <utilization><gpu_util>75 %</gpu_util></utilization>
    <clocks_event_reasons>
      <clocks_event_reason_gpu_idle>Not Active</clocks_event_reason_gpu_idle>
      <clocks_event_reason_sw_power_cap>Active</clocks_event_reason_sw_power_cap>
      <clocks_event_reason_hw_thermal_slowdown>Active</clocks_event_reason_hw_thermal_slowdown>
    </clocks_event_reasons>
    <temperature><gpu_temp>83 C</gpu_temp></temperature>
    <gpu_power_readings>
      <average_power_draw>201.50 W</average_power_draw>
      <instant_power_draw>240.00 W</instant_power_draw>
      <current_power_limit>250.00 W</current_power_limit>
    </gpu_power_readings>
    <clocks><sm_clock>1200 MHz</sm_clock><mem_clock>2600 MHz</mem_clock></clocks>
    <max_clocks><sm_clock>2000 MHz</sm_clock></max_clocks>
  </gpu>
</nvidia_smi_log>
"""


def read_text(tmp_path: Path, text: str) -> Samples:
    path = tmp_path / "nvidia-smi-q.xml"
    path.write_text(text, encoding="utf-8")
    return read(path)


def only(found: Samples) -> dict[str, float]:
    return {name: float(found.of("gpu0", name)[1][0]) for name in found.fields}


def test_the_tree_is_that_of_the_text(tmp_path: Path) -> None:
    found = read_text(tmp_path, DOCUMENT)

    # SW power cap 0x4 with HW thermal slowdown 0x40
    assert only(found) == {
        "power": 201.5, "power_limit": 250.0, "temperature": 83.0, "sm_clock": 1.2e9, "sm_clock_most": 2e9,
        "memory_clock": 2.6e9, "utilisation_gpu": 0.75, "memory_used": 2**30, "event_reasons": 68.0,
    }  # fmt: skip
    assert (found.tool, found.clock) == ("nvidia-smi -q -x", "local")


def test_schemas_before_the_renaming_are_read(tmp_path: Path) -> None:
    old = DOCUMENT.replace("gpu_power_readings", "power_readings").replace("average_power_draw", "power_draw")
    old = old.replace("clocks_event_reason", "clocks_throttle_reason").replace("current_power_limit", "power_limit")

    assert only(read_text(tmp_path, old)) == only(read_text(tmp_path, DOCUMENT))


def test_where_there_is_no_average_the_instant_counts(tmp_path: Path) -> None:
    found = read_text(tmp_path, DOCUMENT.replace("201.50 W", "N/A"))

    assert only(found)["power"] == 240


def test_documents_follow_each_other(tmp_path: Path) -> None:
    later = DOCUMENT.replace("09:00:00", "09:00:05").replace("83 C", "84 C")

    at, heat = read_text(tmp_path, DOCUMENT + later).of("gpu0", "temperature")

    assert heat.tolist() == [83, 84]
    assert at[1] - at[0] == 5


def test_a_document_that_broke_off_spoils_no_other(tmp_path: Path) -> None:
    broken = DOCUMENT[: DOCUMENT.index("<temperature>")] + "\n"

    found = read_text(tmp_path, broken + DOCUMENT)

    assert found.of("gpu0", "temperature")[1].tolist() == [83]


@pytest.mark.parametrize(
    "entity", ['<!ENTITY a SYSTEM "file:///etc/hostname">', '<!ENTITY a "aaaa">', "<!ENTITY % a \"<!ENTITY b 'c'>\">"]
)
def test_entities_are_refused(tmp_path: Path, entity: str) -> None:
    text = DOCUMENT.replace('"nvsmi_device_v12.dtd">', f'"nvsmi_device_v12.dtd" [{entity}]>').replace("83 C", "&a;")

    with pytest.raises(InputError, match="declares entities"):
        read_text(tmp_path, text)


def test_a_document_without_a_gpu_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no sample"):
        read_text(tmp_path, "<nvidia_smi_log>\n<attached_gpus>0</attached_gpus>\n</nvidia_smi_log>\n")
