"""Chinese in its two scripts: patterns written in short characters that read the long ones as well."""

from __future__ import annotations

import regex

from memoryapp.llm.language.wordlists import words

# Each pair is the short form and the long one.
_PAIRS = words(
    "万萬 与與 专專 业業 东東 两兩 严嚴 个個 丰豐 临臨 为為 举舉 么麼 义義 乐樂 "
    "习習 乡鄉 书書 买買 亲親 产產 仅僅 从從 仓倉 们們 价價 众眾 优優 会會 伟偉 "
    "传傳 伤傷 伦倫 体體 侧側 侦偵 债債 偿償 储儲 儿兒 兰蘭 关關 兴興 养養 兽獸 "
    "内內 册冊 写寫 军軍 农農 决決 况況 冻凍 净淨 减減 凤鳳 击擊 划劃 刘劉 则則 "
    "刚剛 创創 删刪 别別 剂劑 办辦 务務 动動 劳勞 势勢 区區 医醫 华華 协協 单單 "
    "卖賣 卢盧 卫衛 厂廠 厅廳 历歷 厉厲 压壓 厌厭 县縣 参參 双雙 发發 变變 台臺 "
    "叶葉 号號 听聽 启啟 吴吳 呕嘔 员員 响響 哑啞 喽嘍 团團 园園 围圍 国國 图圖 "
    "圆圓 圣聖 场場 坏壞 块塊 坚堅 报報 垫墊 墙牆 壮壯 声聲 处處 备備 复復 够夠 "
    "头頭 夹夾 奖獎 妇婦 妈媽 娱娛 婴嬰 孙孫 学學 宁寧 宝寶 实實 审審 宽寬 对對 "
    "导導 寻尋 寿壽 将將 尔爾 尘塵 尝嘗 层層 属屬 岁歲 岗崗 岛島 岭嶺 币幣 师師 "
    "帐帳 带帶 帮幫 广廣 庆慶 库庫 应應 废廢 开開 异異 弃棄 张張 弯彎 弹彈 强強 "
    "归歸 当當 录錄 彻徹 征徵 径徑 忆憶 忧憂 怀懷 态態 总總 恋戀 恶惡 恼惱 悦悅 "
    "惊驚 惯慣 戏戲 战戰 户戶 执執 扩擴 扫掃 扬揚 扰擾 护護 担擔 拟擬 择擇 挂掛 "
    "挤擠 损損 换換 据據 掷擲 摄攝 摆擺 撑撐 携攜 数數 斋齋 断斷 无無 旧舊 时時 "
    "显顯 晋晉 晒曬 晓曉 暂暫 机機 杂雜 权權 杨楊 杰傑 条條 来來 极極 构構 枪槍 "
    "柜櫃 标標 栈棧 树樹 样樣 档檔 桥橋 检檢 楼樓 欢歡 欧歐 残殘 毕畢 气氣 汉漢 "
    "汤湯 沟溝 没沒 泪淚 泽澤 洁潔 测測 济濟 浏瀏 浓濃 涂塗 润潤 涨漲 渔漁 湾灣 "
    "湿濕 满滿 滚滾 滨濱 灯燈 灵靈 炉爐 点點 烂爛 烦煩 烧燒 热熱 爱愛 爷爺 牵牽 "
    "状狀 犹猶 独獨 猫貓 玛瑪 环環 现現 电電 画畫 畅暢 疗療 监監 盖蓋 盘盤 码碼 "
    "砖磚 础礎 确確 碍礙 礼禮 祷禱 离離 种種 积積 称稱 稳穩 穷窮 窃竊 竞競 笔筆 "
    "签簽 简簡 类類 粮糧 紧緊 约約 级級 纪紀 纯純 纳納 纸紙 纹紋 线線 练練 组組 "
    "细細 织織 终終 绍紹 经經 绑綁 结結 绕繞 绘繪 给給 络絡 绝絕 统統 继繼 绩績 "
    "绪緒 续續 维維 绿綠 缓緩 编編 缩縮 网網 罗羅 罚罰 职職 联聯 聪聰 肠腸 肤膚 "
    "肿腫 胀脹 胆膽 胜勝 脉脈 脏臟 脑腦 脚腳 脱脫 脸臉 腊臘 舰艦 艺藝 节節 芦蘆 "
    "苏蘇 荐薦 药藥 莲蓮 获獲 营營 萧蕭 虑慮 虽雖 补補 袜襪 装裝 见見 观觀 规規 "
    "视視 览覽 觉覺 触觸 计計 订訂 认認 讨討 让讓 训訓 议議 记記 讲講 许許 论論 "
    "设設 访訪 证證 评評 识識 诉訴 诊診 词詞 译譯 试試 诗詩 话話 询詢 该該 详詳 "
    "语語 误誤 说說 请請 读讀 课課 谁誰 调調 谈談 谊誼 谢謝 谱譜 贝貝 负負 财財 "
    "责責 败敗 账賬 货貨 质質 贩販 购購 贯貫 贴貼 贵貴 费費 资資 赏賞 赖賴 赛賽 "
    "赞贊 赠贈 赢贏 赵趙 赶趕 踪蹤 车車 轨軌 转轉 轮輪 软軟 轻輕 载載 较較 辅輔 "
    "辆輛 辈輩 辑輯 输輸 辞辭 边邊 达達 迁遷 过過 运運 还還 这這 进進 远遠 连連 "
    "迟遲 选選 递遞 逻邏 邓鄧 邮郵 邻鄰 郑鄭 酱醬 释釋 里裡 鉴鑒 钟鐘 钢鋼 钥鑰 "
    "钱錢 铁鐵 铃鈴 银銀 链鏈 销銷 锁鎖 错錯 键鍵 镇鎮 镜鏡 长長 门門 闪閃 闭閉 "
    "问問 闲閒 间間 闷悶 闺閨 闻聞 阅閱 队隊 阳陽 阴陰 阵陣 阶階 际際 陈陳 险險 "
    "随隨 隐隱 难難 雇僱 雾霧 静靜 页頁 项項 顺順 须須 顾顧 预預 领領 频頻 题題 "
    "颜顏 额額 风風 飞飛 饭飯 饮飲 饿餓 馆館 马馬 驻駐 驾駕 验驗 骑騎 骗騙 鱼魚 "
    "鸟鳥 鸡雞 鸭鴨 鹉鵡 鹦鸚 麦麥 麸麩 黄黃 齐齊 齿齒 龄齡 龙龍 龟龜 周週 占佔 "
    "采採 台檯 只隻 面麵 后後 干乾 松鬆 制製 准準 系係 系繫 卷捲 志誌 升昇 针針 "
    "线綫 账帳 妆妝 腌醃 群羣 秘祕 床牀 裙裙 愿願 几幾 尽盡 吗嗎 骂罵 虫蟲 猪豬 "
    "闹鬧 术術 乌烏 壶壺 凉涼 咸鹹 苹蘋 虾蝦 鲜鮮 盐鹽 晕暈 烟煙 丢丟 余餘 适適 "
    "冲沖 凭憑 却卻 厨廚 哟喲 壳殼 奋奮 恒恆 惧懼 悬懸 拥擁 拦攔 挡擋 挥揮 捡撿 "
    "敌敵 斗鬥 毁毀 浅淺 灾災 炼煉 烫燙 狮獅 猎獵 疯瘋 痒癢 皱皺 盗盜 矿礦 祸禍 "
    "窝窩 竖豎 纤纖 纵縱 绳繩 缠纏 缴繳 罢罷 羡羨 胶膠 腻膩 舍捨 荡蕩 荣榮 萝蘿 "
    "蒋蔣 蓝藍 诞誕 诚誠 诺諾 谋謀 谎謊 谦謙 贺賀 贾賈 赔賠 跃躍 迹跡 酿釀 钓釣 "
    "钉釘 铅鉛 铜銅 锅鍋 锻鍛 闯闖 阔闊 陆陸 颈頸 颗顆 饼餅 骄驕 鹅鵝 "
)
_LONG: dict[str, str] = {}
for _pair in sorted(_PAIRS):
    if _pair[0] != _pair[1]:
        _LONG[_pair[0]] = _LONG.get(_pair[0], "") + _pair[1]
# Long forms that also stand for themselves in short script are left alone.
_SHORT = {ord(long): short for short, longs in _LONG.items() for long in longs}


def simplified(text: str) -> str:
    """The text in short characters, character by character."""
    return text.translate(_SHORT)


def both_scripts(pattern: str) -> str:
    """A regular expression written in short characters, made to read the long ones too."""
    told, inside = [], False
    for at, char in enumerate(pattern):
        escaped = at > 0 and pattern[at - 1] == "\\"
        if char in "[]" and not escaped:
            inside = char == "["
        longs = _LONG.get(char, "")
        told.append(char if not longs else f"{char}{longs}" if inside else f"[{char}{longs}]")
    return "".join(told)


def compile_both(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    """The pattern compiled to read both scripts."""
    return regex.compile(both_scripts(pattern), flags)
