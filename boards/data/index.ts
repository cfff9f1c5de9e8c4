// Written by scripts/import-boards.mjs. Do not edit.
import board_alhambra_ii from "./boards/alhambra-ii.json";
import board_alveo_u200 from "./boards/alveo-u200.json";
import board_alveo_u250 from "./boards/alveo-u250.json";
import board_alveo_u280 from "./boards/alveo-u280.json";
import board_alveo_u50 from "./boards/alveo-u50.json";
import board_alveo_u55c from "./boards/alveo-u55c.json";
import board_basys3 from "./boards/basys3.json";
import board_colorlight_5a_75b_v7 from "./boards/colorlight-5a-75b-v7.json";
import board_colorlight_5a_75b_v8 from "./boards/colorlight-5a-75b-v8.json";
import board_colorlight_i5 from "./boards/colorlight-i5.json";
import board_colorlight_i9 from "./boards/colorlight-i9.json";
import board_cpu from "./boards/cpu.json";
import board_crosslink_nx_evn from "./boards/crosslink-nx-evn.json";
import board_de10_nano from "./boards/de10-nano.json";
import board_ebaz4205 from "./boards/ebaz4205.json";
import board_ecp5_evn from "./boards/ecp5-evn.json";
import board_ecpix5_45 from "./boards/ecpix5-45.json";
import board_ecpix5_85 from "./boards/ecpix5-85.json";
import board_ice40_hx8k_evn from "./boards/ice40-hx8k-evn.json";
import board_icebreaker from "./boards/icebreaker.json";
import board_icestick from "./boards/icestick.json";
import board_icesugar from "./boards/icesugar.json";
import board_kc705 from "./boards/kc705.json";
import board_orangecrab_25f from "./boards/orangecrab-25f.json";
import board_orangecrab_85f from "./boards/orangecrab-85f.json";
import board_pynq_z2 from "./boards/pynq-z2.json";
import board_tang_nano_20k from "./boards/tang-nano-20k.json";
import board_tang_nano_9k from "./boards/tang-nano-9k.json";
import board_tang_primer_20k from "./boards/tang-primer-20k.json";
import board_tang_primer_25k from "./boards/tang-primer-25k.json";
import board_tinyfpga_bx from "./boards/tinyfpga-bx.json";
import board_ulx3s_12f from "./boards/ulx3s-12f.json";
import board_ulx3s_25f from "./boards/ulx3s-25f.json";
import board_ulx3s_45f from "./boards/ulx3s-45f.json";
import board_ulx3s_85f from "./boards/ulx3s-85f.json";
import board_upduino_v3 from "./boards/upduino-v3.json";
import board_zcu102 from "./boards/zcu102.json";
import board_zedboard from "./boards/zedboard.json";
import part_5cseba6u23i7 from "./parts/5cseba6u23i7.json";
import part_cpu from "./parts/cpu.json";
import part_gw1nr_lv9qn88pc6_i5 from "./parts/gw1nr-lv9qn88pc6-i5.json";
import part_gw2a_lv18pg256c8_i7 from "./parts/gw2a-lv18pg256c8-i7.json";
import part_gw2ar_lv18qn88c8_i7 from "./parts/gw2ar-lv18qn88c8-i7.json";
import part_gw5a_lv25mg121nc1_i0 from "./parts/gw5a-lv25mg121nc1-i0.json";
import part_ice40hx1k_tq144 from "./parts/ice40hx1k-tq144.json";
import part_ice40hx4k_tq144 from "./parts/ice40hx4k-tq144.json";
import part_ice40hx8k_ct256 from "./parts/ice40hx8k-ct256.json";
import part_ice40lp8k_cm81 from "./parts/ice40lp8k-cm81.json";
import part_ice40up5k_sg48 from "./parts/ice40up5k-sg48.json";
import part_lfe5u_12f_6bg381c from "./parts/lfe5u-12f-6bg381c.json";
import part_lfe5u_25f_6bg256c from "./parts/lfe5u-25f-6bg256c.json";
import part_lfe5u_25f_6bg381c from "./parts/lfe5u-25f-6bg381c.json";
import part_lfe5u_25f_8mg285c from "./parts/lfe5u-25f-8mg285c.json";
import part_lfe5u_45f_6bg381c from "./parts/lfe5u-45f-6bg381c.json";
import part_lfe5u_85f_6bg381c from "./parts/lfe5u-85f-6bg381c.json";
import part_lfe5u_85f_8mg285c from "./parts/lfe5u-85f-8mg285c.json";
import part_lfe5um5g_45f_8bg554i from "./parts/lfe5um5g-45f-8bg554i.json";
import part_lfe5um5g_85f_8bg381 from "./parts/lfe5um5g-85f-8bg381.json";
import part_lfe5um5g_85f_8bg554i from "./parts/lfe5um5g-85f-8bg554i.json";
import part_lifcl_40_9bg400c from "./parts/lifcl-40-9bg400c.json";
import part_xc7a35t_1cpg236c from "./parts/xc7a35t-1cpg236c.json";
import part_xc7k325t_2ffg900c from "./parts/xc7k325t-2ffg900c.json";
import part_xc7z010_1clg400 from "./parts/xc7z010-1clg400.json";
import part_xc7z020_1clg400 from "./parts/xc7z020-1clg400.json";
import part_xc7z020_1clg484 from "./parts/xc7z020-1clg484.json";
import part_xcu200_fsgd2104_2_e from "./parts/xcu200-fsgd2104-2-e.json";
import part_xcu250_figd2104_2l_e from "./parts/xcu250-figd2104-2l-e.json";
import part_xcu280_fsvh2892_2l_e from "./parts/xcu280-fsvh2892-2l-e.json";
import part_xcu50_fsvh2104_2_e from "./parts/xcu50-fsvh2104-2-e.json";
import part_xcu55c_fsvh2892_2l_e from "./parts/xcu55c-fsvh2892-2l-e.json";
import part_xczu9eg_2ffvb1156e from "./parts/xczu9eg-2ffvb1156e.json";
import programmer_dfu_util from "./programmers/dfu-util.json";
import programmer_iceprog from "./programmers/iceprog.json";
import programmer_icesprog from "./programmers/icesprog.json";
import programmer_openfpgaloader from "./programmers/openfpgaloader.json";
import programmer_tinyprog from "./programmers/tinyprog.json";
import programmer_xbutil from "./programmers/xbutil.json";

export const boardEntries = [
  board_alhambra_ii,
  board_alveo_u200,
  board_alveo_u250,
  board_alveo_u280,
  board_alveo_u50,
  board_alveo_u55c,
  board_basys3,
  board_colorlight_5a_75b_v7,
  board_colorlight_5a_75b_v8,
  board_colorlight_i5,
  board_colorlight_i9,
  board_cpu,
  board_crosslink_nx_evn,
  board_de10_nano,
  board_ebaz4205,
  board_ecp5_evn,
  board_ecpix5_45,
  board_ecpix5_85,
  board_ice40_hx8k_evn,
  board_icebreaker,
  board_icestick,
  board_icesugar,
  board_kc705,
  board_orangecrab_25f,
  board_orangecrab_85f,
  board_pynq_z2,
  board_tang_nano_20k,
  board_tang_nano_9k,
  board_tang_primer_20k,
  board_tang_primer_25k,
  board_tinyfpga_bx,
  board_ulx3s_12f,
  board_ulx3s_25f,
  board_ulx3s_45f,
  board_ulx3s_85f,
  board_upduino_v3,
  board_zcu102,
  board_zedboard,
] as const;

export const partEntries = [
  part_5cseba6u23i7,
  part_cpu,
  part_gw1nr_lv9qn88pc6_i5,
  part_gw2a_lv18pg256c8_i7,
  part_gw2ar_lv18qn88c8_i7,
  part_gw5a_lv25mg121nc1_i0,
  part_ice40hx1k_tq144,
  part_ice40hx4k_tq144,
  part_ice40hx8k_ct256,
  part_ice40lp8k_cm81,
  part_ice40up5k_sg48,
  part_lfe5u_12f_6bg381c,
  part_lfe5u_25f_6bg256c,
  part_lfe5u_25f_6bg381c,
  part_lfe5u_25f_8mg285c,
  part_lfe5u_45f_6bg381c,
  part_lfe5u_85f_6bg381c,
  part_lfe5u_85f_8mg285c,
  part_lfe5um5g_45f_8bg554i,
  part_lfe5um5g_85f_8bg381,
  part_lfe5um5g_85f_8bg554i,
  part_lifcl_40_9bg400c,
  part_xc7a35t_1cpg236c,
  part_xc7k325t_2ffg900c,
  part_xc7z010_1clg400,
  part_xc7z020_1clg400,
  part_xc7z020_1clg484,
  part_xcu200_fsgd2104_2_e,
  part_xcu250_figd2104_2l_e,
  part_xcu280_fsvh2892_2l_e,
  part_xcu50_fsvh2104_2_e,
  part_xcu55c_fsvh2892_2l_e,
  part_xczu9eg_2ffvb1156e,
] as const;

export const programmerEntries = [
  programmer_dfu_util,
  programmer_iceprog,
  programmer_icesprog,
  programmer_openfpgaloader,
  programmer_tinyprog,
  programmer_xbutil,
] as const;
