"""General categories and scripts of Unicode 6.0, which RE2/J knows: UnicodeData.txt and Scripts.txt of that version.

Each class is a name and its code points in hexadecimal: one (`aa`), all from one to another (`41-5a`), or every second
one (`100/136`).
"""

from functools import cache

from fakekafka.jvm.re2.ranges import Ranges, joined


@cache
def ranges_of(name: str) -> Ranges | None:
    """The code points of a category (`Lu`), a family of categories (`L`) or a script (`Greek`). None if there is no
    such name.
    """
    classes = _classes()
    if name in classes:
        return _ranges(classes[name])
    family = [_ranges(text) for category, text in classes.items() if len(category) == 2 and category[0] == name]
    return joined(pair for ranges in family for pair in ranges) if family else None


@cache
def _classes() -> dict[str, str]:
    lines = UNICODE_6_0.replace("\n  ", " ").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _ranges(text: str) -> Ranges:
    pairs: list[tuple[int, int]] = []
    for part in text.split():
        if "/" in part:
            start, end = (int(each, 16) for each in part.split("/"))
            pairs += ((n, n) for n in range(start, end + 1, 2))
        else:
            first, _, last = part.partition("-")
            pairs.append((int(first, 16), int(last or first, 16)))
    return joined(pairs)


UNICODE_6_0 = """\
Arabic: 600-603 606-60b 60d-61a 61e 620-63f 641-64a 656-65e 66a-66f 671-6dc 6de-6ff 750-77f fb50-fbc1 fbd3-fd3d
  fd50-fd8f fd92-fdc7 fdf0-fdfc fe70-fe74 fe76-fefc 10e60-10e7e
Armenian: 531-556 559-55f 561-587 58a fb13-fb17
Avestan: 10b00-10b35 10b39-10b3f
Balinese: 1b00-1b4b 1b50-1b7c
Bamum: a6a0-a6f7 16800-16a38
Batak: 1bc0-1bf3 1bfc-1bff
Bengali: 981-983 985-98c 98f-990 993-9a8 9aa-9b0 9b2 9b6-9b9 9bc-9c4 9c7-9c8 9cb-9ce 9d7 9dc-9dd 9df-9e3 9e6-9fb
Bopomofo: 2ea-2eb 3105-312d 31a0-31ba
Brahmi: 11000-1104d 11052-1106f
Braille: 2800-28ff
Buginese: 1a00-1a1b 1a1e-1a1f
Buhid: 1740-1753
Canadian_Aboriginal: 1400-167f 18b0-18f5
Carian: 102a0-102d0
Cc: 0-1f 7f-9f
Cf: ad 600-603 6dd 70f 17b4-17b5 200b-200f 202a-202e 2060-2064 206a-206f feff fff9-fffb 110bd 1d173-1d17a e0001
  e0020-e007f
Cham: aa00-aa36 aa40-aa4d aa50-aa59 aa5c-aa5f
Cherokee: 13a0-13f4
Co: e000-f8ff f0000-ffffd 100000-10fffd
Common: 0-40 5b-60 7b-a9 ab-b9 bb-bf d7 f7 2b9-2df 2e5-2e9 2ec-2ff 374 37e 385 387 589 60c 61b 61f 640 660-669 6dd
  964-965 970 e3f fd5-fd8 10fb 16eb-16ed 1735-1736 1802-1803 1805 1cd3 1ce1 1ce9-1cec 1cee-1cf2 2000-200b 200e-2064
  206a-2070 2074-207e 2080-208e 20a0-20b9 2100-2125 2127-2129 212c-2131 2133-214d 214f-215f 2189 2190-23f3 2400-2426
  2440-244a 2460-26ff 2701-27ca 27cc 27ce-27ff 2900-2b4c 2b50-2b59 2e00-2e31 2ff0-2ffb 3000-3004 3006 3008-3020
  3030-3037 303c-303f 309b-309c 30a0 30fb-30fc 3190-319f 31c0-31e3 3220-325f 327f-32cf 3358-33ff 4dc0-4dff a700-a721
  a788-a78a a830-a839 fd3e-fd3f fdfd fe10-fe19 fe30-fe52 fe54-fe66 fe68-fe6b feff ff01-ff20 ff3b-ff40 ff5b-ff65 ff70
  ff9e-ff9f ffe0-ffe6 ffe8-ffee fff9-fffd 10100-10102 10107-10133 10137-1013f 10190-1019b 101d0-101fc 1d000-1d0f5
  1d100-1d126 1d129-1d166 1d16a-1d17a 1d183-1d184 1d18c-1d1a9 1d1ae-1d1dd 1d300-1d356 1d360-1d371 1d400-1d454
  1d456-1d49c 1d49e-1d49f 1d4a2 1d4a5-1d4a6 1d4a9-1d4ac 1d4ae-1d4b9 1d4bb 1d4bd-1d4c3 1d4c5-1d505 1d507-1d50a
  1d50d-1d514 1d516-1d51c 1d51e-1d539 1d53b-1d53e 1d540-1d544 1d546 1d54a-1d550 1d552-1d6a5 1d6a8-1d7cb 1d7ce-1d7ff
  1f000-1f02b 1f030-1f093 1f0a0-1f0ae 1f0b1-1f0be 1f0c1-1f0cf 1f0d1-1f0df 1f100-1f10a 1f110-1f12e 1f130-1f169
  1f170-1f19a 1f1e6-1f1ff 1f201-1f202 1f210-1f23a 1f240-1f248 1f250-1f251 1f300-1f320 1f330-1f335 1f337-1f37c
  1f380-1f393 1f3a0-1f3c4 1f3c6-1f3ca 1f3e0-1f3f0 1f400-1f43e 1f440 1f442-1f4f7 1f4f9-1f4fc 1f500-1f53d 1f550-1f567
  1f5fb-1f5ff 1f601-1f610 1f612-1f614 1f616/1f61a 1f61c-1f61e 1f620-1f625 1f628-1f62b 1f62d 1f630-1f633 1f635-1f640
  1f645-1f64f 1f680-1f6c5 1f700-1f773 e0001 e0020-e007f
Coptic: 3e2-3ef 2c80-2cf1 2cf9-2cff
Cs: d800-dfff
Cuneiform: 12000-1236e 12400-12462 12470-12473
Cypriot: 10800-10805 10808 1080a-10835 10837-10838 1083c 1083f
Cyrillic: 400-484 487-527 1d2b 1d78 2de0-2dff a640-a673 a67c-a697
Deseret: 10400-1044f
Devanagari: 900-950 953-963 966-96f 971-977 979-97f a8e0-a8fb
Egyptian_Hieroglyphs: 13000-1342e
Ethiopic: 1200-1248 124a-124d 1250-1256 1258 125a-125d 1260-1288 128a-128d 1290-12b0 12b2-12b5 12b8-12be 12c0
  12c2-12c5 12c8-12d6 12d8-1310 1312-1315 1318-135a 135d-137c 1380-1399 2d80-2d96 2da0-2da6 2da8-2dae 2db0-2db6
  2db8-2dbe 2dc0-2dc6 2dc8-2dce 2dd0-2dd6 2dd8-2dde ab01-ab06 ab09-ab0e ab11-ab16 ab20-ab26 ab28-ab2e
Georgian: 10a0-10c5 10d0-10fa 10fc 2d00-2d25
Glagolitic: 2c00-2c2e 2c30-2c5e
Gothic: 10330-1034a
Greek: 370-373 375-377 37a-37d 384 386 388-38a 38c 38e-3a1 3a3-3e1 3f0-3ff 1d26-1d2a 1d5d-1d61 1d66-1d6a 1dbf
  1f00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59/1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fc4 1fc6-1fd3 1fd6-1fdb
  1fdd-1fef 1ff2-1ff4 1ff6-1ffe 2126 10140-1018a 1d200-1d245
Gujarati: a81-a83 a85-a8d a8f-a91 a93-aa8 aaa-ab0 ab2-ab3 ab5-ab9 abc-ac5 ac7-ac9 acb-acd ad0 ae0-ae3 ae6-aef af1
Gurmukhi: a01-a03 a05-a0a a0f-a10 a13-a28 a2a-a30 a32-a33 a35-a36 a38-a39 a3c a3e-a42 a47-a48 a4b-a4d a51 a59-a5c a5e
  a66-a75
Han: 2e80-2e99 2e9b-2ef3 2f00-2fd5 3005 3007 3021-3029 3038-303b 3400-4db5 4e00-9fcb f900-fa2d fa30-fa6d fa70-fad9
  20000-2a6d6 2a700-2b734 2b740-2b81d 2f800-2fa1d
Hangul: 1100-11ff 302e-302f 3131-318e 3200-321e 3260-327e a960-a97c ac00-d7a3 d7b0-d7c6 d7cb-d7fb ffa0-ffbe ffc2-ffc7
  ffca-ffcf ffd2-ffd7 ffda-ffdc
Hanunoo: 1720-1734
Hebrew: 591-5c7 5d0-5ea 5f0-5f4 fb1d-fb36 fb38-fb3c fb3e fb40-fb41 fb43-fb44 fb46-fb4f
Hiragana: 3041-3096 309d-309f 1b001 1f200
Imperial_Aramaic: 10840-10855 10857-1085f
Inherited: 300-36f 485-486 64b-655 65f 670 951-952 1cd0-1cd2 1cd4-1ce0 1ce2-1ce8 1ced 1dc0-1de6 1dfc-1dff 200c-200d
  20d0-20f0 302a-302d 3099-309a fe00-fe0f fe20-fe26 101fd 1d167-1d169 1d17b-1d182 1d185-1d18b 1d1aa-1d1ad e0100-e01ef
Inscriptional_Pahlavi: 10b60-10b72 10b78-10b7f
Inscriptional_Parthian: 10b40-10b55 10b58-10b5f
Javanese: a980-a9cd a9cf-a9d9 a9de-a9df
Kaithi: 11080-110c1
Kannada: c82-c83 c85-c8c c8e-c90 c92-ca8 caa-cb3 cb5-cb9 cbc-cc4 cc6-cc8 cca-ccd cd5-cd6 cde ce0-ce3 ce6-cef cf1-cf2
Katakana: 30a1-30fa 30fd-30ff 31f0-31ff 32d0-32fe 3300-3357 ff66-ff6f ff71-ff9d 1b000
Kayah_Li: a900-a92f
Kharoshthi: 10a00-10a03 10a05-10a06 10a0c-10a13 10a15-10a17 10a19-10a33 10a38-10a3a 10a3f-10a47 10a50-10a58
Khmer: 1780-17dd 17e0-17e9 17f0-17f9 19e0-19ff
Lao: e81-e82 e84 e87-e88 e8a e8d e94-e97 e99-e9f ea1-ea3 ea5 ea7 eaa-eab ead-eb9 ebb-ebd ec0-ec4 ec6 ec8-ecd ed0-ed9
  edc-edd
Latin: 41-5a 61-7a aa ba c0-d6 d8-f6 f8-2b8 2e0-2e4 1d00-1d25 1d2c-1d5c 1d62-1d65 1d6b-1d77 1d79-1dbe 1e00-1eff 2071
  207f 2090-209c 212a-212b 2132 214e 2160-2188 2c60-2c7f a722-a787 a78b-a78e a790-a791 a7a0-a7a9 a7fa-a7ff fb00-fb06
  ff21-ff3a ff41-ff5a
Lepcha: 1c00-1c37 1c3b-1c49 1c4d-1c4f
Limbu: 1900-191c 1920-192b 1930-193b 1940 1944-194f
Linear_B: 10000-1000b 1000d-10026 10028-1003a 1003c-1003d 1003f-1004d 10050-1005d 10080-100fa
Lisu: a4d0-a4ff
Ll: 61-7a aa b5 ba df-f6 f8-ff 101/135 137-138 13a/146 148-149 14b/177 17a 17c 17e-180 183 185 188 18c-18d 192 195
  199-19b 19e 1a1/1a5 1a8 1aa-1ab 1ad 1b0 1b4 1b6 1b9-1ba 1bd-1bf 1c6 1c9 1cc/1da 1dc-1dd 1df/1ed 1ef-1f0 1f3 1f5
  1f9/231 233-239 23c 23f-240 242 247/24d 24f-293 295-2af 371 373 377 37b-37d 390 3ac-3ce 3d0-3d1 3d5-3d7 3d9/3ed
  3ef-3f3 3f5 3f8 3fb-3fc 430-45f 461/481 48b/4bf 4c2/4cc 4ce-4cf 4d1/527 561-587 1d00-1d2b 1d62-1d77 1d79-1d9a
  1e01/1e93 1e95-1e9d 1e9f/1efd 1eff-1f07 1f10-1f15 1f20-1f27 1f30-1f37 1f40-1f45 1f50-1f57 1f60-1f67 1f70-1f7d
  1f80-1f87 1f90-1f97 1fa0-1fa7 1fb0-1fb4 1fb6-1fb7 1fbe 1fc2-1fc4 1fc6-1fc7 1fd0-1fd3 1fd6-1fd7 1fe0-1fe7 1ff2-1ff4
  1ff6-1ff7 210a 210e-210f 2113 212f 2134 2139 213c-213d 2146-2149 214e 2184 2c30-2c5e 2c61 2c65-2c66 2c68/2c6c 2c71
  2c73-2c74 2c76-2c7c 2c81/2ce1 2ce3-2ce4 2cec 2cee 2d00-2d25 a641/a66d a681/a697 a723/a72d a72f-a731 a733/a76f
  a771-a778 a77a a77c a77f/a787 a78c a78e a791 a7a1/a7a9 a7fa fb00-fb06 fb13-fb17 ff41-ff5a 10428-1044f 1d41a-1d433
  1d44e-1d454 1d456-1d467 1d482-1d49b 1d4b6-1d4b9 1d4bb 1d4bd-1d4c3 1d4c5-1d4cf 1d4ea-1d503 1d51e-1d537 1d552-1d56b
  1d586-1d59f 1d5ba-1d5d3 1d5ee-1d607 1d622-1d63b 1d656-1d66f 1d68a-1d6a5 1d6c2-1d6da 1d6dc-1d6e1 1d6fc-1d714
  1d716-1d71b 1d736-1d74e 1d750-1d755 1d770-1d788 1d78a-1d78f 1d7aa-1d7c2 1d7c4-1d7c9 1d7cb
Lm: 2b0-2c1 2c6-2d1 2e0-2e4 2ec 2ee 374 37a 559 640 6e5-6e6 7f4-7f5 7fa 81a 824 828 971 e46 ec6 10fc 17d7 1843 1aa7
  1c78-1c7d 1d2c-1d61 1d78 1d9b-1dbf 2071 207f 2090-209c 2c7d 2d6f 2e2f 3005 3031-3035 303b 309d-309e 30fc-30fe a015
  a4f8-a4fd a60c a67f a717-a71f a770 a788 a9cf aa70 aadd ff70 ff9e-ff9f
Lo: 1bb 1c0-1c3 294 5d0-5ea 5f0-5f2 620-63f 641-64a 66e-66f 671-6d3 6d5 6ee-6ef 6fa-6fc 6ff 710 712-72f 74d-7a5 7b1
  7ca-7ea 800-815 840-858 904-939 93d 950 958-961 972-977 979-97f 985-98c 98f-990 993-9a8 9aa-9b0 9b2 9b6-9b9 9bd 9ce
  9dc-9dd 9df-9e1 9f0-9f1 a05-a0a a0f-a10 a13-a28 a2a-a30 a32-a33 a35-a36 a38-a39 a59-a5c a5e a72-a74 a85-a8d a8f-a91
  a93-aa8 aaa-ab0 ab2-ab3 ab5-ab9 abd ad0 ae0-ae1 b05-b0c b0f-b10 b13-b28 b2a-b30 b32-b33 b35-b39 b3d b5c-b5d b5f-b61
  b71 b83 b85-b8a b8e-b90 b92-b95 b99-b9a b9c b9e-b9f ba3-ba4 ba8-baa bae-bb9 bd0 c05-c0c c0e-c10 c12-c28 c2a-c33
  c35-c39 c3d c58-c59 c60-c61 c85-c8c c8e-c90 c92-ca8 caa-cb3 cb5-cb9 cbd cde ce0-ce1 cf1-cf2 d05-d0c d0e-d10 d12-d3a
  d3d d4e d60-d61 d7a-d7f d85-d96 d9a-db1 db3-dbb dbd dc0-dc6 e01-e30 e32-e33 e40-e45 e81-e82 e84 e87-e88 e8a e8d
  e94-e97 e99-e9f ea1-ea3 ea5 ea7 eaa-eab ead-eb0 eb2-eb3 ebd ec0-ec4 edc-edd f00 f40-f47 f49-f6c f88-f8c 1000-102a
  103f 1050-1055 105a-105d 1061 1065-1066 106e-1070 1075-1081 108e 10d0-10fa 1100-1248 124a-124d 1250-1256 1258
  125a-125d 1260-1288 128a-128d 1290-12b0 12b2-12b5 12b8-12be 12c0 12c2-12c5 12c8-12d6 12d8-1310 1312-1315 1318-135a
  1380-138f 13a0-13f4 1401-166c 166f-167f 1681-169a 16a0-16ea 1700-170c 170e-1711 1720-1731 1740-1751 1760-176c
  176e-1770 1780-17b3 17dc 1820-1842 1844-1877 1880-18a8 18aa 18b0-18f5 1900-191c 1950-196d 1970-1974 1980-19ab
  19c1-19c7 1a00-1a16 1a20-1a54 1b05-1b33 1b45-1b4b 1b83-1ba0 1bae-1baf 1bc0-1be5 1c00-1c23 1c4d-1c4f 1c5a-1c77
  1ce9-1cec 1cee-1cf1 2135-2138 2d30-2d65 2d80-2d96 2da0-2da6 2da8-2dae 2db0-2db6 2db8-2dbe 2dc0-2dc6 2dc8-2dce
  2dd0-2dd6 2dd8-2dde 3006 303c 3041-3096 309f 30a1-30fa 30ff 3105-312d 3131-318e 31a0-31ba 31f0-31ff 3400-4db5
  4e00-9fcb a000-a014 a016-a48c a4d0-a4f7 a500-a60b a610-a61f a62a-a62b a66e a6a0-a6e5 a7fb-a801 a803-a805 a807-a80a
  a80c-a822 a840-a873 a882-a8b3 a8f2-a8f7 a8fb a90a-a925 a930-a946 a960-a97c a984-a9b2 aa00-aa28 aa40-aa42 aa44-aa4b
  aa60-aa6f aa71-aa76 aa7a aa80-aaaf aab1 aab5-aab6 aab9-aabd aac0 aac2 aadb-aadc ab01-ab06 ab09-ab0e ab11-ab16
  ab20-ab26 ab28-ab2e abc0-abe2 ac00-d7a3 d7b0-d7c6 d7cb-d7fb f900-fa2d fa30-fa6d fa70-fad9 fb1d fb1f-fb28 fb2a-fb36
  fb38-fb3c fb3e fb40-fb41 fb43-fb44 fb46-fbb1 fbd3-fd3d fd50-fd8f fd92-fdc7 fdf0-fdfb fe70-fe74 fe76-fefc ff66-ff6f
  ff71-ff9d ffa0-ffbe ffc2-ffc7 ffca-ffcf ffd2-ffd7 ffda-ffdc 10000-1000b 1000d-10026 10028-1003a 1003c-1003d
  1003f-1004d 10050-1005d 10080-100fa 10280-1029c 102a0-102d0 10300-1031e 10330-10340 10342-10349 10380-1039d
  103a0-103c3 103c8-103cf 10450-1049d 10800-10805 10808 1080a-10835 10837-10838 1083c 1083f-10855 10900-10915
  10920-10939 10a00 10a10-10a13 10a15-10a17 10a19-10a33 10a60-10a7c 10b00-10b35 10b40-10b55 10b60-10b72 10c00-10c48
  11003-11037 11083-110af 12000-1236e 13000-1342e 16800-16a38 1b000-1b001 20000-2a6d6 2a700-2b734 2b740-2b81d
  2f800-2fa1d
Lt: 1c5 1c8 1cb 1f2 1f88-1f8f 1f98-1f9f 1fa8-1faf 1fbc 1fcc 1ffc
Lu: 41-5a c0-d6 d8-de 100/136 139/147 14a/176 178-179 17b 17d 181-182 184 186-187 189-18b 18e-191 193-194 196-198
  19c-19d 19f-1a0 1a2 1a4 1a6-1a7 1a9 1ac 1ae-1af 1b1-1b3 1b5 1b7-1b8 1bc 1c4 1c7 1ca 1cd/1db 1de/1ee 1f1 1f4 1f6-1f8
  1fa/232 23a-23b 23d-23e 241 243-246 248/24e 370 372 376 386 388-38a 38c 38e-38f 391-3a1 3a3-3ab 3cf 3d2-3d4 3d8/3ee
  3f4 3f7 3f9-3fa 3fd-42f 460/480 48a/4be 4c0-4c1 4c3/4cd 4d0/526 531-556 10a0-10c5 1e00/1e94 1e9e/1efe 1f08-1f0f
  1f18-1f1d 1f28-1f2f 1f38-1f3f 1f48-1f4d 1f59/1f5f 1f68-1f6f 1fb8-1fbb 1fc8-1fcb 1fd8-1fdb 1fe8-1fec 1ff8-1ffb 2102
  2107 210b-210d 2110-2112 2115 2119-211d 2124/2128 212a-212d 2130-2133 213e-213f 2145 2183 2c00-2c2e 2c60 2c62-2c64
  2c67/2c6b 2c6d-2c70 2c72 2c75 2c7e-2c80 2c82/2ce2 2ceb 2ced a640/a66c a680/a696 a722/a72e a732/a76e a779 a77b
  a77d-a77e a780/a786 a78b a78d a790 a7a0/a7a8 ff21-ff3a 10400-10427 1d400-1d419 1d434-1d44d 1d468-1d481 1d49c
  1d49e-1d49f 1d4a2 1d4a5-1d4a6 1d4a9-1d4ac 1d4ae-1d4b5 1d4d0-1d4e9 1d504-1d505 1d507-1d50a 1d50d-1d514 1d516-1d51c
  1d538-1d539 1d53b-1d53e 1d540-1d544 1d546 1d54a-1d550 1d56c-1d585 1d5a0-1d5b9 1d5d4-1d5ed 1d608-1d621 1d63c-1d655
  1d670-1d689 1d6a8-1d6c0 1d6e2-1d6fa 1d71c-1d734 1d756-1d76e 1d790-1d7a8 1d7ca
Lycian: 10280-1029c
Lydian: 10920-10939 1093f
Malayalam: d02-d03 d05-d0c d0e-d10 d12-d3a d3d-d44 d46-d48 d4a-d4e d57 d60-d63 d66-d75 d79-d7f
Mandaic: 840-85b 85e
Mc: 903 93b 93e-940 949-94c 94e-94f 982-983 9be-9c0 9c7-9c8 9cb-9cc 9d7 a03 a3e-a40 a83 abe-ac0 ac9 acb-acc b02-b03
  b3e b40 b47-b48 b4b-b4c b57 bbe-bbf bc1-bc2 bc6-bc8 bca-bcc bd7 c01-c03 c41-c44 c82-c83 cbe cc0-cc4 cc7-cc8 cca-ccb
  cd5-cd6 d02-d03 d3e-d40 d46-d48 d4a-d4c d57 d82-d83 dcf-dd1 dd8-ddf df2-df3 f3e-f3f f7f 102b-102c 1031 1038
  103b-103c 1056-1057 1062-1064 1067-106d 1083-1084 1087-108c 108f 109a-109c 17b6 17be-17c5 17c7-17c8 1923-1926
  1929-192b 1930-1931 1933-1938 19b0-19c0 19c8-19c9 1a19-1a1b 1a55 1a57 1a61 1a63-1a64 1a6d-1a72 1b04 1b35 1b3b
  1b3d-1b41 1b43-1b44 1b82 1ba1 1ba6-1ba7 1baa 1be7 1bea-1bec 1bee 1bf2-1bf3 1c24-1c2b 1c34-1c35 1ce1 1cf2 a823-a824
  a827 a880-a881 a8b4-a8c3 a952-a953 a983 a9b4-a9b5 a9ba-a9bb a9bd-a9c0 aa2f-aa30 aa33-aa34 aa4d aa7b abe3-abe4
  abe6-abe7 abe9-abea abec 11000 11002 11082 110b0-110b2 110b7-110b8 1d165-1d166 1d16d-1d172
Me: 488-489 20dd-20e0 20e2-20e4 a670-a672
Meetei_Mayek: abc0-abed abf0-abf9
Mn: 300-36f 483-487 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 610-61a 64b-65f 670 6d6-6dc 6df-6e4 6e7-6e8 6ea-6ed 711 730-74a
  7a6-7b0 7eb-7f3 816-819 81b-823 825-827 829-82d 859-85b 900-902 93a 93c 941-948 94d 951-957 962-963 981 9bc 9c1-9c4
  9cd 9e2-9e3 a01-a02 a3c a41-a42 a47-a48 a4b-a4d a51 a70-a71 a75 a81-a82 abc ac1-ac5 ac7-ac8 acd ae2-ae3 b01 b3c b3f
  b41-b44 b4d b56 b62-b63 b82 bc0 bcd c3e-c40 c46-c48 c4a-c4d c55-c56 c62-c63 cbc cbf cc6 ccc-ccd ce2-ce3 d41-d44 d4d
  d62-d63 dca dd2-dd4 dd6 e31 e34-e3a e47-e4e eb1 eb4-eb9 ebb-ebc ec8-ecd f18-f19 f35/f39 f71-f7e f80-f84 f86-f87
  f8d-f97 f99-fbc fc6 102d-1030 1032-1037 1039-103a 103d-103e 1058-1059 105e-1060 1071-1074 1082 1085-1086 108d 109d
  135d-135f 1712-1714 1732-1734 1752-1753 1772-1773 17b7-17bd 17c6 17c9-17d3 17dd 180b-180d 18a9 1920-1922 1927-1928
  1932 1939-193b 1a17-1a18 1a56 1a58-1a5e 1a60 1a62 1a65-1a6c 1a73-1a7c 1a7f 1b00-1b03 1b34 1b36-1b3a 1b3c 1b42
  1b6b-1b73 1b80-1b81 1ba2-1ba5 1ba8-1ba9 1be6 1be8-1be9 1bed 1bef-1bf1 1c2c-1c33 1c36-1c37 1cd0-1cd2 1cd4-1ce0
  1ce2-1ce8 1ced 1dc0-1de6 1dfc-1dff 20d0-20dc 20e1 20e5-20f0 2cef-2cf1 2d7f 2de0-2dff 302a-302f 3099-309a a66f
  a67c-a67d a6f0-a6f1 a802 a806 a80b a825-a826 a8c4 a8e0-a8f1 a926-a92d a947-a951 a980-a982 a9b3 a9b6-a9b9 a9bc
  aa29-aa2e aa31-aa32 aa35-aa36 aa43 aa4c aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 abe5 abe8 abed fb1e fe00-fe0f
  fe20-fe26 101fd 10a01-10a03 10a05-10a06 10a0c-10a0f 10a38-10a3a 10a3f 11001 11038-11046 11080-11081 110b3-110b6
  110b9-110ba 1d167-1d169 1d17b-1d182 1d185-1d18b 1d1aa-1d1ad 1d242-1d244 e0100-e01ef
Mongolian: 1800-1801 1804 1806-180e 1810-1819 1820-1877 1880-18aa
Myanmar: 1000-109f aa60-aa7b
Nd: 30-39 660-669 6f0-6f9 7c0-7c9 966-96f 9e6-9ef a66-a6f ae6-aef b66-b6f be6-bef c66-c6f ce6-cef d66-d6f e50-e59
  ed0-ed9 f20-f29 1040-1049 1090-1099 17e0-17e9 1810-1819 1946-194f 19d0-19d9 1a80-1a89 1a90-1a99 1b50-1b59 1bb0-1bb9
  1c40-1c49 1c50-1c59 a620-a629 a8d0-a8d9 a900-a909 a9d0-a9d9 aa50-aa59 abf0-abf9 ff10-ff19 104a0-104a9 11066-1106f
  1d7ce-1d7ff
New_Tai_Lue: 1980-19ab 19b0-19c9 19d0-19da 19de-19df
Nko: 7c0-7fa
Nl: 16ee-16f0 2160-2182 2185-2188 3007 3021-3029 3038-303a a6e6-a6ef 10140-10174 10341 1034a 103d1-103d5 12400-12462
No: b2-b3 b9 bc-be 9f4-9f9 b72-b77 bf0-bf2 c78-c7e d70-d75 f2a-f33 1369-137c 17f0-17f9 19da 2070 2074-2079 2080-2089
  2150-215f 2189 2460-249b 24ea-24ff 2776-2793 2cfd 3192-3195 3220-3229 3251-325f 3280-3289 32b1-32bf a830-a835
  10107-10133 10175-10178 1018a 10320-10323 10858-1085f 10916-1091b 10a40-10a47 10a7d-10a7e 10b58-10b5f 10b78-10b7f
  10e60-10e7e 11052-11065 1d360-1d371 1f100-1f10a
Ogham: 1680-169c
Ol_Chiki: 1c50-1c7f
Old_Italic: 10300-1031e 10320-10323
Old_Persian: 103a0-103c3 103c8-103d5
Old_South_Arabian: 10a60-10a7f
Old_Turkic: 10c00-10c48
Oriya: b01-b03 b05-b0c b0f-b10 b13-b28 b2a-b30 b32-b33 b35-b39 b3c-b44 b47-b48 b4b-b4d b56-b57 b5c-b5d b5f-b63 b66-b77
Osmanya: 10480-1049d 104a0-104a9
Pc: 5f 203f-2040 2054 fe33-fe34 fe4d-fe4f ff3f
Pd: 2d 58a 5be 1400 1806 2010-2015 2e17 2e1a 301c 3030 30a0 fe31-fe32 fe58 fe63 ff0d
Pe: 29 5d 7d f3b f3d 169c 2046 207e 208e 232a 2769/2775 27c6 27e7/27ef 2984/2998 29d9 29db 29fd 2e23/2e29 3009/3011
  3015/301b 301e-301f fd3f fe18 fe36/fe44 fe48 fe5a/fe5e ff09 ff3d ff5d ff60 ff63
Pf: bb 2019 201d 203a 2e03 2e05 2e0a 2e0d 2e1d 2e21
Phags_Pa: a840-a877
Phoenician: 10900-1091b 1091f
Pi: ab 2018 201b-201c 201f 2039 2e02 2e04 2e09 2e0c 2e1c 2e20
Po: 21-23 25-27 2a 2c 2e-2f 3a-3b 3f-40 5c a1 b7 bf 37e 387 55a-55f 589 5c0 5c3 5c6 5f3-5f4 609-60a 60c-60d 61b
  61e-61f 66a-66d 6d4 700-70d 7f7-7f9 830-83e 85e 964-965 970 df4 e4f e5a-e5b f04-f12 f85 fd0-fd4 fd9-fda 104a-104f
  10fb 1361-1368 166d-166e 16eb-16ed 1735-1736 17d4-17d6 17d8-17da 1800-1805 1807-180a 1944-1945 1a1e-1a1f 1aa0-1aa6
  1aa8-1aad 1b5a-1b60 1bfc-1bff 1c3b-1c3f 1c7e-1c7f 1cd3 2016-2017 2020-2027 2030-2038 203b-203e 2041-2043 2047-2051
  2053 2055-205e 2cf9-2cfc 2cfe-2cff 2d70 2e00-2e01 2e06-2e08 2e0b 2e0e-2e16 2e18-2e19 2e1b 2e1e-2e1f 2e2a-2e2e
  2e30-2e31 3001-3003 303d 30fb a4fe-a4ff a60d-a60f a673 a67e a6f2-a6f7 a874-a877 a8ce-a8cf a8f8-a8fa a92e-a92f a95f
  a9c1-a9cd a9de-a9df aa5c-aa5f aade-aadf abeb fe10-fe16 fe19 fe30 fe45-fe46 fe49-fe4c fe50-fe52 fe54-fe57 fe5f-fe61
  fe68 fe6a-fe6b ff01-ff03 ff05-ff07 ff0a ff0c ff0e-ff0f ff1a-ff1b ff1f-ff20 ff3c ff61 ff64-ff65 10100-10101 1039f
  103d0 10857 1091f 1093f 10a50-10a58 10a7f 10b39-10b3f 11047-1104d 110bb-110bc 110be-110c1 12470-12473
Ps: 28 5b 7b f3a f3c 169b 201a 201e 2045 207d 208d 2329 2768/2774 27c5 27e6/27ee 2983/2997 29d8 29da 29fc 2e22/2e28
  3008/3010 3014/301a 301d fd3e fe17 fe35/fe43 fe47 fe59/fe5d ff08 ff3b ff5b ff5f ff62
Rejang: a930-a953 a95f
Runic: 16a0-16ea 16ee-16f0
Samaritan: 800-82d 830-83e
Saurashtra: a880-a8c4 a8ce-a8d9
Sc: 24 a2-a5 60b 9f2-9f3 9fb af1 bf9 e3f 17db 20a0-20b9 a838 fdfc fe69 ff04 ffe0-ffe1 ffe5-ffe6
Shavian: 10450-1047f
Sinhala: d82-d83 d85-d96 d9a-db1 db3-dbb dbd dc0-dc6 dca dcf-dd4 dd6 dd8-ddf df2-df4
Sk: 5e 60 a8 af b4 b8 2c2-2c5 2d2-2df 2e5-2eb 2ed 2ef-2ff 375 384-385 1fbd 1fbf-1fc1 1fcd-1fcf 1fdd-1fdf 1fed-1fef
  1ffd-1ffe 309b-309c a700-a716 a720-a721 a789-a78a fbb2-fbc1 ff3e ff40 ffe3
Sm: 2b 3c-3e 7c 7e ac b1 d7 f7 3f6 606-608 2044 2052 207a-207c 208a-208c 2118 2140-2144 214b 2190-2194 219a-219b 21a0
  21a3 21a6 21ae 21ce-21cf 21d2 21d4 21f4-22ff 2308-230b 2320-2321 237c 239b-23b3 23dc-23e1 25b7 25c1 25f8-25ff 266f
  27c0-27c4 27c7-27ca 27cc 27ce-27e5 27f0-27ff 2900-2982 2999-29d7 29dc-29fb 29fe-2aff 2b30-2b44 2b47-2b4c fb29 fe62
  fe64-fe66 ff0b ff1c-ff1e ff5c ff5e ffe2 ffe9-ffec 1d6c1 1d6db 1d6fb 1d715 1d735 1d74f 1d76f 1d789 1d7a9 1d7c3
So: a6-a7 a9 ae b0 b6 482 60e-60f 6de 6e9 6fd-6fe 7f6 9fa b70 bf3-bf8 bfa c7f d79 f01-f03 f13-f17 f1a-f1f f34/f38
  fbe-fc5 fc7-fcc fce-fcf fd5-fd8 109e-109f 1360 1390-1399 1940 19de-19ff 1b61-1b6a 1b74-1b7c 2100-2101 2103-2106
  2108-2109 2114 2116-2117 211e-2123 2125/2129 212e 213a-213b 214a 214c-214d 214f 2195-2199 219c-219f 21a1-21a2
  21a4-21a5 21a7-21ad 21af-21cd 21d0-21d1 21d3 21d5-21f3 2300-2307 230c-231f 2322-2328 232b-237b 237d-239a 23b4-23db
  23e2-23f3 2400-2426 2440-244a 249c-24e9 2500-25b6 25b8-25c0 25c2-25f7 2600-266e 2670-26ff 2701-2767 2794-27bf
  2800-28ff 2b00-2b2f 2b45-2b46 2b50-2b59 2ce5-2cea 2e80-2e99 2e9b-2ef3 2f00-2fd5 2ff0-2ffb 3004 3012-3013 3020
  3036-3037 303e-303f 3190-3191 3196-319f 31c0-31e3 3200-321e 322a-3250 3260-327f 328a-32b0 32c0-32fe 3300-33ff
  4dc0-4dff a490-a4c6 a828-a82b a836-a837 a839 aa77-aa79 fdfd ffe4 ffe8 ffed-ffee fffc-fffd 10102 10137-1013f
  10179-10189 10190-1019b 101d0-101fc 1d000-1d0f5 1d100-1d126 1d129-1d164 1d16a-1d16c 1d183-1d184 1d18c-1d1a9
  1d1ae-1d1dd 1d200-1d241 1d245 1d300-1d356 1f000-1f02b 1f030-1f093 1f0a0-1f0ae 1f0b1-1f0be 1f0c1-1f0cf 1f0d1-1f0df
  1f110-1f12e 1f130-1f169 1f170-1f19a 1f1e6-1f202 1f210-1f23a 1f240-1f248 1f250-1f251 1f300-1f320 1f330-1f335
  1f337-1f37c 1f380-1f393 1f3a0-1f3c4 1f3c6-1f3ca 1f3e0-1f3f0 1f400-1f43e 1f440 1f442-1f4f7 1f4f9-1f4fc 1f500-1f53d
  1f550-1f567 1f5fb-1f5ff 1f601-1f610 1f612-1f614 1f616/1f61a 1f61c-1f61e 1f620-1f625 1f628-1f62b 1f62d 1f630-1f633
  1f635-1f640 1f645-1f64f 1f680-1f6c5 1f700-1f773
Sundanese: 1b80-1baa 1bae-1bb9
Syloti_Nagri: a800-a82b
Syriac: 700-70d 70f-74a 74d-74f
Tagalog: 1700-170c 170e-1714
Tagbanwa: 1760-176c 176e-1770 1772-1773
Tai_Le: 1950-196d 1970-1974
Tai_Tham: 1a20-1a5e 1a60-1a7c 1a7f-1a89 1a90-1a99 1aa0-1aad
Tai_Viet: aa80-aac2 aadb-aadf
Tamil: b82-b83 b85-b8a b8e-b90 b92-b95 b99-b9a b9c b9e-b9f ba3-ba4 ba8-baa bae-bb9 bbe-bc2 bc6-bc8 bca-bcd bd0 bd7
  be6-bfa
Telugu: c01-c03 c05-c0c c0e-c10 c12-c28 c2a-c33 c35-c39 c3d-c44 c46-c48 c4a-c4d c55-c56 c58-c59 c60-c63 c66-c6f
  c78-c7f
Thaana: 780-7b1
Thai: e01-e3a e40-e5b
Tibetan: f00-f47 f49-f6c f71-f97 f99-fbc fbe-fcc fce-fd4 fd9-fda
Tifinagh: 2d30-2d65 2d6f-2d70 2d7f
Ugaritic: 10380-1039d 1039f
Unknown: d800-f8ff f0000-ffffd 100000-10fffd
Vai: a500-a62b
Yi: a000-a48c a490-a4c6
Zl: 2028
Zp: 2029
Zs: 20 a0 1680 180e 2000-200a 202f 205f 3000"""
